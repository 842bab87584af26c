import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { platformVersion, settings } from '@platform/service';
import { explain, UsageFault } from './command-fault.ts';
import type { Environment } from './launcher/settings.ts';
import { createOutput, type Output } from './output.ts';

/** What every command takes. */
interface CommonOptions {
  readonly json?: boolean;
}

/**
 * Runs the operator's command line.
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong usage (operator.md §3)
 */
export async function run(argv: readonly string[], environment: Environment): Promise<number> {
  // A reader that closes early, as `head` does, is no failure of the command.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    await createProgram(environment).parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has said itself what is wrong with the call, or has printed the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    process.stderr.write(`${explain(error)}\n`);
    return error instanceof UsageFault ? 2 : 1;
  }
}

function createProgram(environment: Environment): Command {
  const program = new Command('platform')
    .description('Starts the platform and looks after it.')
    .version(platformVersion, '--version')
    .exitOverride()
    .showSuggestionAfterError()
    // Inherited by every command made below.
    .allowExcessArguments(false)
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replaceAll(/\s*\n\s*/g, ' ')}\n`) });
  addUp(program, environment);
  addStatus(program, environment);
  addDoctor(program, environment);
  addSeed(program, environment);
  addLab(program, environment);
  const admin = program.command('admin')
    .description('Users, tokens, bus accounts, keys, contracts, what was changed, and why somebody may do something.');
  addUsers(admin, environment);
  addTokens(admin, environment);
  addBusAccounts(admin, environment);
  addClusters(admin, environment);
  addKeys(admin, environment);
  addLicenseAuthorities(admin, environment);
  addAudit(admin, environment);
  addExplain(admin, environment);
  addContracts(admin, environment);
  addParkedEvents(admin, environment);
  addMemberEvent(admin, environment);
  return program;
}

function addUp(program: Command, environment: Environment): void {
  program.command('up')
    .description('Runs the whole platform on this machine, in the foreground, until Ctrl-C.')
    .option('--port <port>', 'port of the REST API (PLATFORM_HTTP_PORT); default a free one', parsePort)
    .option('--reset', 'start again: all data, secrets and logs of this state are removed', false)
    .addOption(json())
    .action(async ({ json: asJson, ...options }: { port?: number; reset: boolean } & CommonOptions) => {
      const { up } = await import('./commands/up.ts');
      await up(options, environment, output(asJson));
    });
}

function addStatus(program: Command, environment: Environment): void {
  program.command('status')
    .description('Shows where the platform answers and how each part stands.')
    .addOption(json())
    .action(async (options: CommonOptions) => {
      const { status } = await import('./commands/status.ts');
      await status(environment, output(options.json));
    });
}

function addDoctor(program: Command, environment: Environment): void {
  withServer(program.command('doctor'))
    .description('Checks machine, settings, servers, migrations, model, and whether the engine agrees with the rows.')
    .option('--repair', 'put the authorization engine in line with the rows first')
    .action(async ({ json: asJson, ...options }: CommonOptions) => {
      const { doctor } = await import('./commands/doctor.ts');
      await doctor(options, environment, output(asJson));
    });
}

function addSeed(program: Command, environment: Environment): void {
  withServer(program.command('seed'))
    .description('Fills the site with users, organizations and what they have; planted again, a seed changes nothing.')
    .option('--users <count>', 'users of the site', parseCount, 100)
    .option('--organizations <count>', 'organizations of the site', parseCount, 5)
    .option('--teams <count>', 'teams of each organization, Owners, Editors and Viewers among them', parseCount, 5)
    .option('--members <count>', 'members of each organization, its owner among them; default 20 or all', parseCount)
    .option('--objects <count>', 'database objects of each cluster', parseCount, 0)
    .option('--months <count>', 'over how many months their life is spread', parseMonths, 1)
    .option('--seed <text>', 'what all names follow from: up to 12 letters and digits', parseSeed, '1')
    .action(async ({ json: asJson, users, organizations, teams, members, objects, months, seed: text, ...server }) => {
      const { seed } = await import('./commands/seed.ts');
      const own = members ?? Math.min(20, users);
      const size = { users, organizations, teams, members: own, objects, months, seed: text };
      await seed(size, server, environment, output(asJson));
    });
}

function addLab(program: Command, environment: Environment): void {
  program.command('lab')
    .description('A real Kubernetes to develop and test against.')
    .command('up')
    .description('Runs a hub with Open Cluster Management and joined spokes, in the foreground, until Ctrl-C.')
    .option('--spokes <count>', 'clusters that join the hub', parseSpokes, 2)
    .addOption(json())
    .action(async ({ spokes }: { spokes: number } & CommonOptions) => {
      const { labUp } = await import('./commands/lab.ts');
      // The answer is a JSON line either way; progress goes to standard error.
      await labUp({ spokes }, environment, output(true));
    });
}

function addUsers(admin: Command, environment: Environment): void {
  const user = admin.command('user').description('Users.');
  withServer(user.command('create'))
    .description('Creates a user.')
    .requiredOption('--username <name>', 'name to sign in with')
    .requiredOption('--email <address>', 'e-mail address')
    .option('--full-name <text>', 'name for people')
    .option('--admin', 'site admin')
    .option('--no-create-organization', 'may not create organizations')
    .option('--prohibit-login', 'may not sign in')
    .option('--inactive', 'its tokens are not accepted')
    .action(async ({ json: asJson, ...options }) => {
      const { createUser } = await import('./commands/admin-user.ts');
      await createUser(options, environment, output(asJson));
    });
  withServer(user.command('update'))
    .description('Changes flags of a user; those not named stay.')
    .argument('<username>')
    .option('--admin <boolean>', 'site admin', parseBoolean)
    .option('--active <boolean>', 'its tokens are accepted', parseBoolean)
    .option('--prohibit-login <boolean>', 'may not sign in', parseBoolean)
    .action(async (username: string, { json: asJson, ...options }) => {
      if (!['admin', 'active', 'prohibitLogin'].some((flag) => flag in options)) {
        throw new UsageFault('No flag is named', 'Name --admin, --active or --prohibit-login, with =true or =false.');
      }
      const { updateUser } = await import('./commands/admin-user.ts');
      await updateUser(username, options, environment, output(asJson));
    });
  withServer(user.command('delete'))
    .description('Deletes a user with its memberships and tokens.')
    .argument('<username>')
    .action(async (username: string, { json: asJson, ...options }) => {
      const { deleteUser } = await import('./commands/admin-user.ts');
      await deleteUser(username, options, environment, output(asJson));
    });
}

function addTokens(admin: Command, environment: Environment): void {
  const token = admin.command('token').description('Access tokens.');
  withServer(token.command('create'))
    .description('Makes an access token, shown this once.')
    .addOption(new Option('--user <name>', 'of this user').conflicts('org'))
    .option('--org <name>', 'of the hidden system admin of this organization')
    .requiredOption('--name <text>', 'what it is for')
    .option('--expires <duration>', 'how long it is valid, such as 12h or 30d; default for ever', parseDuration)
    .action(async ({ json: asJson, ...options }) => {
      if (options.user === undefined && options.org === undefined) {
        throw new UsageFault('Nobody is named', 'Name --user or --org.');
      }
      const { createToken } = await import('./commands/admin-token.ts');
      await createToken(options, environment, output(asJson));
    });
  withServer(token.command('revoke'))
    .description('Ends an access token.')
    .argument('<id>', 'its id', parseId)
    .action(async (id: number, { json: asJson, ...options }) => {
      const { revokeToken } = await import('./commands/admin-token.ts');
      await revokeToken(id, options, environment, output(asJson));
    });
}

function addBusAccounts(admin: Command, environment: Environment): void {
  const account = admin.command('bus-account').description('Accounts of member clusters at the message bus.');
  withServer(account.command('create'))
    .description('Makes credentials for the agent of a product in a cluster, shown this once.')
    .requiredOption('--org <name>', 'whose cluster it is')
    .requiredOption('--cluster-uid <uuid>', 'UID of the cluster')
    .requiredOption('--product <name>', 'name of the product')
    .action(async ({ json: asJson, ...options }) => {
      const { createBusAccount } = await import('./commands/admin-bus-account.ts');
      await createBusAccount(options, environment, output(asJson));
    });
}

function addClusters(admin: Command, environment: Environment): void {
  const cluster = admin.command('cluster').description('The registry of clusters.');
  withServer(cluster.command('import'))
    .description('Imports a cluster under an account; imported again, it is updated.')
    .requiredOption('--owner <name>', 'the organization or user')
    .requiredOption('--name <name>', 'unique among the clusters of the account')
    .option('--kubeconfig <file>', 'asks the cluster for its UID, version and nodes; stored encrypted')
    .option('--uid <uuid>', 'UID of the cluster; required without a kubeconfig')
    .option('--display-name <text>', 'name for people')
    .option('--provider <name>', 'where it runs')
    .option('--hub', 'the cluster must run Open Cluster Management')
    .action(async ({ json: asJson, ...options }) => {
      const { importCluster } = await import('./commands/admin-cluster.ts');
      await importCluster(options, environment, output(asJson));
    });
  withServer(cluster.command('list'))
    .description('Lists clusters by id.')
    .option('--owner <name>', 'only those of this account')
    .action(async ({ json: asJson, ...options }) => {
      const { listClusters } = await import('./commands/admin-cluster.ts');
      await listClusters(options, environment, output(asJson));
    });
  withServer(cluster.command('remove'))
    .description('Removes a cluster; its bindings to contracts stay.')
    .requiredOption('--owner <name>', 'the account')
    .requiredOption('--name <name>', 'name of the cluster')
    .option('--force', 'also while it is bound to an active contract')
    .action(async ({ json: asJson, ...options }) => {
      const { removeCluster } = await import('./commands/admin-cluster.ts');
      await removeCluster(options, environment, output(asJson));
    });
}

function addKeys(admin: Command, environment: Environment): void {
  const keys = admin.command('keys').description('Keys that seal stored secrets (secrets.encryptionKeys).');
  withServer(keys.command('rotate'))
    .description('Seals what older keys have sealed with the newest one; they can be taken away afterwards.')
    .action(async ({ json: asJson, ...options }) => {
      const { rotateKeys } = await import('./commands/admin-keys.ts');
      await rotateKeys(options, environment, output(asJson));
    });
}

function addLicenseAuthorities(admin: Command, environment: Environment): void {
  const authority = admin.command('license-ca').description('Authorities that sign licences: two at most, one signs.');
  withServer(authority.command('list'))
    .description('Lists the trusted authorities, without their keys.')
    .action(async ({ json: asJson, ...options }) => {
      const { listAuthorities } = await import('./commands/admin-license-ca.ts');
      await listAuthorities(options, environment, output(asJson));
    });
  withServer(authority.command('add'))
    .description('Trusts a second authority; makes one without a file.')
    .option('--file <path>', 'a certificate and its PKCS#8 key (PEM)')
    .action(async ({ json: asJson, ...options }) => {
      const { addAuthority } = await import('./commands/admin-license-ca.ts');
      await addAuthority(options, environment, output(asJson));
    });
  withServer(authority.command('use'))
    .description('Lets an authority sign from now on.')
    .argument('<fingerprint>', 'as `list` shows it')
    .action(async (fingerprint: string, { json: asJson, ...options }) => {
      const { useAuthority } = await import('./commands/admin-license-ca.ts');
      await useAuthority(fingerprint, options, environment, output(asJson));
    });
  withServer(authority.command('remove'))
    .description('Trusts an authority no longer; not the one that signs.')
    .argument('<fingerprint>', 'as `list` shows it')
    .action(async (fingerprint: string, { json: asJson, ...options }) => {
      const { removeAuthority } = await import('./commands/admin-license-ca.ts');
      await removeAuthority(fingerprint, options, environment, output(asJson));
    });
}

function addAudit(admin: Command, environment: Environment): void {
  withServer(admin.command('audit'))
    .description('Lists what was changed, newest first.')
    .option('--organization <name>', 'only what happened in this organization')
    .option('--actor <name>', 'only what this account did; `operator` and `platform` are others who act')
    .option('--account <name>', 'only what this user or organization did, or what was done to it')
    .option('--action <name>', 'only this, such as token.revoke')
    .option('--since <when>', 'nothing older: a time such as 2026-11-21T08:00:00Z, or an age such as 30d', parseSince)
    .option('--limit <count>', 'at most this many, up to 1000', parseLimit, 100)
    .action(async ({ json: asJson, ...options }) => {
      const { listAudit } = await import('./commands/admin-audit.ts');
      await listAudit(options, environment, output(asJson));
    });
}

function addExplain(admin: Command, environment: Environment): void {
  withServer(admin.command('explain'))
    .description('Explains why somebody may do something, or what is missing.')
    .requiredOption('--user <name>', 'who')
    .requiredOption('--relation <name>', 'a relation of the authorization model, such as can_edit')
    .requiredOption('--object <type:id>', 'on what, such as team:7, cluster:12 or site:main')
    .action(async ({ json: asJson, ...options }) => {
      const { explainDecision } = await import('./commands/admin-explain.ts');
      await explainDecision(options, environment, output(asJson));
    });
}

function addContracts(admin: Command, environment: Environment): void {
  const contract = admin.command('contract').description('Contracts.');
  withServer(contract.command('list'))
    .description('Lists contracts with their clusters, also where their routes are not served.')
    .option('--owner <name>', 'only contracts of this organization or user')
    .action(async ({ json: asJson, ...options }) => {
      const { listContracts } = await import('./commands/admin-contract.ts');
      await listContracts(options, environment, output(asJson));
    });
}

function addParkedEvents(admin: Command, environment: Environment): void {
  const parked = admin.command('parked-events').description('Events of members that were not counted.');
  withServer(parked.command('list'))
    .description('Lists events that were malformed, of the future, or more than 35 days late.')
    .action(async ({ json: asJson, ...options }) => {
      const { listParkedEvents } = await import('./commands/admin-parked-events.ts');
      await listParkedEvents(options, environment, output(asJson));
    });
  withServer(parked.command('replay'))
    .description('Judges parked events again; those that count now are parked no longer.')
    .argument('[ids...]', 'as `list` shows them; default all', collectIds)
    .action(async (ids: readonly number[] | undefined, { json: asJson, ...options }) => {
      const { replayParkedEvents } = await import('./commands/admin-parked-events.ts');
      await replayParkedEvents(ids ?? [], options, environment, output(asJson));
    });
}

function addMemberEvent(admin: Command, environment: Environment): void {
  withServer(admin.command('member-event'))
    .description('Sends events over the bus as a member cluster of an organization.')
    .requiredOption('--owner <name>', 'the organization')
    .requiredOption('--cluster-uid <uuid>', 'the cluster')
    .requiredOption('--product <name>', 'the product that reports, such as productdb-enterprise')
    .option('--file <path>', 'CloudEvents, one JSON text per line; default standard input')
    .action(async ({ json: asJson, ...options }) => {
      const { sendMemberEvents } = await import('./commands/admin-member-event.ts');
      await sendMemberEvents(options, environment, output(asJson));
    });
}

function collectIds(text: string, before: readonly number[] | undefined): readonly number[] {
  return [...(before ?? []), parseId(text)];
}

function withServer(command: Command): Command {
  return command
    .option('--server <address>', 'gRPC address of orgs-teams (PLATFORM_SERVER); default the one here', parseServer)
    .option('--token-file <path>', 'file with the operator credential (PLATFORM_TOKEN); default the launcher\'s')
    .addOption(json());
}

function json(): Option {
  return new Option('--json', 'answer with one JSON line on standard output');
}

function output(asJson: boolean | undefined): Output {
  return createOutput(asJson ?? false);
}

function parsePort(text: string): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : NaN;
  if (port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535.');
}

function parseServer(text: string): string {
  if (settings.server.kind.parse(text) !== undefined) return text;
  throw new InvalidArgumentError('It is an address host:port.');
}

function parseBoolean(text: string): boolean {
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw new InvalidArgumentError('It is true or false.');
}

function parseId(text: string): number {
  const id = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : NaN;
  if (Number.isSafeInteger(id)) return id;
  throw new InvalidArgumentError('An id is a whole number above 0.');
}

function parseLimit(text: string): number {
  const limit = /^[0-9]{1,4}$/.test(text) ? Number(text) : NaN;
  if (limit >= 1 && limit <= 1_000) return limit;
  throw new InvalidArgumentError('It is a number from 1 to 1000.');
}

function parseCount(text: string): number {
  const count = /^[0-9]{1,7}$/.test(text) ? Number(text) : NaN;
  if (count <= 1_000_000) return count;
  throw new InvalidArgumentError('It is a number from 0 to 1000000.');
}

function parseSpokes(text: string): number {
  if (/^(?:[0-9]|1[0-9]|20)$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is a number from 0 to 20.');
}

function parseMonths(text: string): number {
  const months = /^[0-9]{1,2}$/.test(text) ? Number(text) : NaN;
  if (months >= 1 && months <= 24) return months;
  throw new InvalidArgumentError('It is a number from 1 to 24.');
}

function parseSeed(text: string): string {
  if (/^[A-Za-z0-9]{1,12}$/.test(text)) return text;
  throw new InvalidArgumentError('It is up to 12 letters and digits.');
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** A time, or an age before now, as RFC3339. */
function parseSince(text: string): string {
  if (/^[1-9][0-9]{0,6}[smhd]$/.test(text)) return new Date(Date.now() - parseDuration(text) * 1_000).toISOString();
  const isTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const time = isTime ? Date.parse(text) : NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw new InvalidArgumentError('It is a time such as 2026-11-21T08:00:00Z, a date, or an age such as 12h or 30d.');
}

/** `30d` → seconds. */
function parseDuration(text: string): number {
  const [, count, unit] = /^([1-9][0-9]{0,6})(s|m|h|d)$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return Number(count) * unitSeconds[unit]!;
  throw new InvalidArgumentError('A duration is a number with s, m, h or d, such as 30d.');
}
