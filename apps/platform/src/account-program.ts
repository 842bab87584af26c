import { type Command, Option } from 'commander';
import { UsageFault } from './command-fault.ts';
import type { Environment } from './settings.ts';
import {
  output, parseBoolean, parseDuration, parseId, parseScopes, parseSince, wholeNumber, withServer,
} from './options.ts';

/** Adds the operator's commands for users, organizations, tokens, bus accounts and the audit, and `explain`. */
export function addAccounts(admin: Command, environment: Environment): void {
  addUsers(admin, environment);
  addOrganizations(admin, environment);
  addTokens(admin, environment);
  addBusAccounts(admin, environment);
  addAudit(admin, environment);
  withServer(admin.command('explain'))
    .description('Explains why a user may or may not do something.')
    .requiredOption('--user <name>', 'the user')
    .requiredOption('--relation <name>', 'a relation of the authorization model, such as can_edit')
    .requiredOption('--object <type:id>', 'the object, such as team:7, cluster:12 or site:main')
    .action(async (options) =>
      (await import('./commands/admin-explain.ts')).explainDecision(options, environment, output(options)));
}

function addUsers(admin: Command, environment: Environment): void {
  const load = () => import('./commands/admin-user.ts');
  const user = admin.command('user').description('Users.');
  withServer(user.command('create'))
    .description('Creates a user.')
    .requiredOption('--username <name>', 'name to sign in with')
    .requiredOption('--email <address>', 'e-mail address')
    .option('--full-name <text>', 'name for people')
    .option('--admin', 'site admin')
    .option('--no-create-organization', 'may not create organizations')
    .option('--prohibit-login', 'may not sign in or use tokens')
    .option('--inactive', 'may not sign in, use tokens or join organizations')
    .action(async (options) => (await load()).createUser(options, environment, output(options)));
  withServer(user.command('update'))
    .description('Changes the given flags of a user.')
    .argument('<username>')
    .option('--admin <boolean>', 'whether the user is a site admin', parseBoolean)
    .option('--active <boolean>', 'false: the user may not sign in, use tokens or join organizations', parseBoolean)
    .option('--prohibit-login <boolean>', 'true: the user may not sign in or use tokens', parseBoolean)
    .action(async (username: string, options) => {
      if (!['admin', 'active', 'prohibitLogin'].some((flag) => flag in options)) {
        throw new UsageFault('No flag is given', 'Give --admin, --active or --prohibit-login, with =true or =false.');
      }
      await (await load()).updateUser(username, options, environment, output(options));
    });
  withServer(user.command('delete'))
    .description('Deletes a user with its memberships and tokens.')
    .argument('<username>')
    .option(
      '--leave-organizations',
      'organizations that only this user owns go to the owners of the administrative organization',
    )
    .action(async (name: string, options) => (await load()).deleteUser(name, options, environment, output(options)));
  withServer(user.command('list'))
    .description('Lists users by ascending id.')
    .option('--query <text>', 'only users whose name or full name begins with this text')
    .option('--active <boolean>', 'true: only active users; false: only inactive users', parseBoolean)
    .option('--admin <boolean>', 'true: only site admins; false: only other users', parseBoolean)
    .action(async (options) => (await load()).listUsers(options, environment, output(options)));
  withServer(user.command('show'))
    .description('Shows a user, with the organizations of which the user is a member.')
    .argument('<username>')
    .action(async (name: string, options) => (await load()).showUser(name, options, environment, output(options)));
}

function addOrganizations(admin: Command, environment: Environment): void {
  const load = () => import('./commands/admin-org.ts');
  const organization = admin.command('org').description('Organizations.');
  withServer(organization.command('list'))
    .description('Lists organizations by ascending id.')
    .option('--query <text>', 'only organizations whose name or full name begins with this text')
    .action(async (options) => (await load()).listOrganizations(options, environment, output(options)));
  withServer(organization.command('show'))
    .description('Shows an organization, with its owners.')
    .argument('<name>')
    .action(async (name: string, options) =>
      (await load()).showOrganization(name, options, environment, output(options)));
}

function addTokens(admin: Command, environment: Environment): void {
  const load = () => import('./commands/admin-token.ts');
  const token = admin.command('token').description('Access tokens.');
  withServer(token.command('create'))
    .description('Creates an access token and shows it once.')
    .addOption(new Option('--user <name>', 'a token of this user').conflicts('org'))
    .option('--org <name>', 'a token of the hidden system admin of this organization')
    .requiredOption('--name <text>', 'what the token is for')
    .option('--expires <duration>', 'how long the token is valid, such as 12h or 30d; default unlimited', parseDuration)
    .option('--scopes <scopes>', 'scopes, such as read:contract,write:cluster; default all', parseScopes)
    .action(async (options) => {
      if (options.user === undefined && options.org === undefined) {
        throw new UsageFault('No user or organization is given', 'Give --user or --org.');
      }
      await (await load()).createToken(options, environment, output(options));
    });
  withServer(token.command('list'))
    .description('Lists access tokens by ascending id, without their values.')
    .addOption(new Option('--user <name>', 'only tokens of this user').conflicts('org'))
    .option('--org <name>', 'only tokens of the hidden system admin of this organization')
    .action(async (options) => (await load()).listTokens(options, environment, output(options)));
  withServer(token.command('show'))
    .description('Shows an access token, without its value.')
    .argument('<id>', 'id of the token', parseId)
    .action(async (id: number, options) => (await load()).showToken(id, options, environment, output(options)));
  withServer(token.command('revoke'))
    .description('Revokes an access token.')
    .argument('<id>', 'id of the token', parseId)
    .action(async (id: number, options) => (await load()).revokeToken(id, options, environment, output(options)));
}

function addBusAccounts(admin: Command, environment: Environment): void {
  const load = () => import('./commands/admin-bus-account.ts');
  const account = admin.command('bus-account').description('Accounts of member clusters at the message bus.');
  withServer(account.command('create'))
    .description('Creates message-bus credentials for a product in a cluster, and shows them once.')
    .requiredOption('--org <name>', 'organization that the cluster belongs to')
    .requiredOption('--cluster-uid <uuid>', 'UID of the cluster')
    .requiredOption('--product <name>', 'name of the product')
    .action(async (options) => (await load()).createBusAccount(options, environment, output(options)));
  withServer(account.command('list'))
    .description('Lists bus accounts by ascending id, without their credentials.')
    .option('--org <name>', 'only bus accounts of this organization')
    .action(async (options) => (await load()).listBusAccounts(options, environment, output(options)));
  withServer(account.command('show'))
    .description('Shows a bus account, without its credentials.')
    .argument('<id>', 'id of the bus account', parseId)
    .action(async (id: number, options) => (await load()).showBusAccount(id, options, environment, output(options)));
}

function addAudit(admin: Command, environment: Environment): void {
  const load = () => import('./commands/admin-audit.ts');
  const audit = admin.command('audit').description('Shows what was changed, and by whom.');
  withServer(audit.command('list', { isDefault: true }))
    .description('Lists what was changed, newest first.')
    .option('--organization <name>', 'only changes in this organization')
    .option('--actor <name>', 'only changes by this actor: an account, `operator` or `platform`')
    .option('--account <name>', 'only changes made by this user, or concerning this user or organization')
    .option('--action <name>', 'only changes with this action, such as token.revoke')
    .option('--since <when>', 'earliest time (2026-11-21T08:00:00Z), or a period before now (30d)', parseSince)
    .option('--limit <count>', 'maximum number of changes, up to 1000', wholeNumber(1, 1_000), 100)
    .action(async (options) => (await load()).listAudit(options, environment, output(options)));
  withServer(audit.command('show'))
    .description('Shows one change.')
    .argument('<id>', 'id of the change', parseId)
    .action(async (id: number, options) => (await load()).showAudit(id, options, environment, output(options)));
}
