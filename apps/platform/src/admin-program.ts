import type { Command } from 'commander';
import { addAccounts } from './account-program.ts';
import type { Environment } from './settings.ts';
import { output, parseId, withServer } from './options.ts';

/** Adds `platform admin …`: the operator's commands for accounts, clusters, contracts and other data. */
export function addAdmin(program: Command, environment: Environment): void {
  const admin = program.command('admin')
    .description('Commands of the operator for accounts, clusters, contracts and other data.');
  addAccounts(admin, environment);
  addClusters(admin, environment);
  addKeys(admin, environment);
  addLicenseAuthorities(admin, environment);
  addContracts(admin, environment);
  addInstallers(admin, environment);
  addMetering(admin, environment);
  addParkedEvents(admin, environment);
  withServer(admin.command('member-event'))
    .description('Sends events over the bus in the name of a cluster, with newly created bus credentials.')
    .requiredOption('--owner <name>', 'the organization')
    .requiredOption('--cluster-uid <uuid>', 'the cluster')
    .requiredOption('--product <name>', 'the product to which the events belong, such as productdb-enterprise')
    .option('--file <path>', 'file with one CloudEvent in JSON per line; default standard input')
    .action(async (options) =>
      (await import('./commands/admin-member-event.ts')).sendMemberEvents(options, environment, output(options)));
}

function addClusters(admin: Command, environment: Environment): void {
  const load = () => import('./commands/admin-cluster.ts');
  const cluster = admin.command('cluster').description('The registry of clusters.');
  withServer(cluster.command('import'))
    .description('Imports a cluster for an account, or updates an imported cluster.')
    .requiredOption('--owner <name>', 'the organization or user')
    .requiredOption('--name <name>', 'unique among the clusters of the account')
    .option('--kubeconfig <file>', 'kubeconfig of the cluster, to read its UID, version and nodes; stored encrypted')
    .option('--uid <uuid>', 'UID of the cluster; required without a kubeconfig')
    .option('--display-name <text>', 'name for people')
    .option('--provider <name>', 'where the cluster runs')
    .option('--hub', 'imports a hub, which must run Open Cluster Management')
    .action(async (options) => (await load()).importCluster(options, environment, output(options)));
  withServer(cluster.command('list'))
    .description('Lists clusters by ascending id.')
    .option('--owner <name>', 'only clusters of this account')
    .action(async (options) => (await load()).listClusters(options, environment, output(options)));
  withServer(cluster.command('move'))
    .description('Moves a cluster to another account. The cluster keeps its kubeconfig and its bindings to contracts.')
    .requiredOption('--owner <name>', 'the account')
    .requiredOption('--name <name>', 'name of the cluster')
    .requiredOption('--to <name>', 'the new owner: an organization or a user')
    .action(async (options) => (await load()).moveCluster(options, environment, output(options)));
  withServer(cluster.command('remove'))
    .description('Removes a cluster, but not its bindings to contracts.')
    .requiredOption('--owner <name>', 'the account')
    .requiredOption('--name <name>', 'name of the cluster')
    .option('--force', 'removes the cluster even if it is in use')
    .action(async (options) => (await load()).removeCluster(options, environment, output(options)));
}

function addKeys(admin: Command, environment: Environment): void {
  const keys = admin.command('keys').description('Keys that encrypt stored secrets (secrets.encryptionKeys).');
  withServer(keys.command('rotate'))
    .description(
      'Re-encrypts secrets with the first key in secrets.encryptionKeys. On success, the other keys can be removed.',
    )
    .action(async (options) =>
      (await import('./commands/admin-keys.ts')).rotateKeys(options, environment, output(options)));
}

function addLicenseAuthorities(admin: Command, environment: Environment): void {
  const load = () => import('./commands/admin-license-ca.ts');
  const authority = admin.command('license-ca').description('Licence authorities: at most two. One of them signs.');
  withServer(authority.command('list'))
    .description('Lists the trusted authorities, without their keys.')
    .action(async (options) => (await load()).listAuthorities(options, environment, output(options)));
  withServer(authority.command('add'))
    .description('Adds a second trusted authority. Without --file, creates a new authority.')
    .option('--file <path>', 'PEM file: a certificate and its PKCS#8 key; without the key, the authority cannot sign')
    .action(async (options) => (await load()).addAuthority(options, environment, output(options)));
  withServer(authority.command('use'))
    .description('Makes an authority sign licences from now on.')
    .argument('<fingerprint>', 'as `list` shows it')
    .action(async (fingerprint: string, options) =>
      (await load()).useAuthority(fingerprint, options, environment, output(options)));
  withServer(authority.command('remove'))
    .description('Removes a trusted authority that does not sign.')
    .argument('<fingerprint>', 'as `list` shows it')
    .action(async (fingerprint: string, options) =>
      (await load()).removeAuthority(fingerprint, options, environment, output(options)));
}

function addContracts(admin: Command, environment: Environment): void {
  const load = () => import('./commands/admin-contract.ts');
  const contract = admin.command('contract').description('Contracts.');
  withServer(contract.command('list'))
    .description('Lists contracts with their clusters. Works even if the deployment has no REST routes for contracts.')
    .option('--owner <name>', 'only contracts of this organization or user')
    .action(async (options) => (await load()).listContracts(options, environment, output(options)));
  withServer(contract.command('move'))
    .description('Moves a contract to another account. The clusters stay bound to the contract.')
    .argument('<id>', 'id of the contract', parseId)
    .requiredOption('--to <name>', 'the new owner: an organization or a user')
    .action(async (id: number, options) => (await load()).moveContract(id, options, environment, output(options)));
}

function addInstallers(admin: Command, environment: Environment): void {
  const load = () => import('./commands/admin-installer.ts');
  const installer = admin.command('installer').description('Installers that customers get through marketplaces.');
  withServer(installer.command('create'))
    .description('Creates an installer. Also creates its subscription, unless the marketplace does.')
    .requiredOption('--marketplace <name>', 'ProviderA, ProviderB or ProviderC')
    .requiredOption('--name <name>', 'a slug, unique among the installers of the owner')
    .option('--owner <name>', 'an organization or user; default a new standalone organization that can be claimed')
    .option('--metering-url <url>', 'address of another platform, which reports the usage to the marketplace')
    .option('--metering-token-file <path>', 'a file with an access token of a site admin of that platform')
    .action(async (options) => (await load()).createInstaller(options, environment, output(options)));
  withServer(installer.command('list'))
    .description('Lists installers.')
    .action(async (options) => (await load()).listInstallers(options, environment, output(options)));
}

function addMetering(admin: Command, environment: Environment): void {
  const metering = admin.command('metering').description('Usage reports to marketplaces.');
  withServer(metering.command('resend'))
    .description('Adds the usage of abandoned reports to the next hourly report of the same subscription.')
    .argument('[ids...]', 'ids of abandoned reports, from the audit of the subscription; default: all, up to 1,000')
    .action(async (ids: readonly string[], options) =>
      (await import('./commands/admin-metering.ts')).resendReports(ids, options, environment, output(options)));
}

function addParkedEvents(admin: Command, environment: Environment): void {
  const load = () => import('./commands/admin-parked-events.ts');
  const parked = admin.command('parked-events')
    .description('Parked events of member clusters: malformed, late, or from the future.');
  withServer(parked.command('list'))
    .description('Lists parked events: malformed or late events, events from the future, and late changes.')
    .action(async (options) => (await load()).listParkedEvents(options, environment, output(options)));
  withServer(parked.command('replay'))
    .description('Processes parked events again. Accepted events are no longer parked.')
    .argument('[ids...]', 'ids that `list` shows; default all', collectIds)
    .action(async (ids: readonly number[] | undefined, options) =>
      (await load()).replayParkedEvents(ids ?? [], options, environment, output(options)));
}

function collectIds(text: string, before: readonly number[] | undefined): readonly number[] {
  return [...(before ?? []), parseId(text)];
}
