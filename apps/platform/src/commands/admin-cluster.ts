import { ClusterAdminServiceService, type RegisteredCluster } from '@platform/proto/clusters/v1/cluster';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { CommandFault } from '../command-fault.ts';
import { readGiven } from '../given-file.ts';
import type { Environment } from '../settings.ts';
import { columns, type Output } from '../output.ts';
import { findAccount } from './find-account.ts';
import { openFollowers } from './followers.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';
import { allParts } from './lists.ts';

/** Services that copy rows of the service `clusters`. A command waits until these services have applied the change. */
const followerNames = ['contracts-licensing', 'billing-dashboard'] as const;

interface ClusterOptions extends ServerOptions {
  readonly owner: string;
  readonly name: string;
}

interface ImportClusterOptions extends ClusterOptions {
  /** Path of the kubeconfig file. */
  readonly kubeconfig?: string;
  readonly uid?: string;
  readonly displayName?: string;
  readonly provider?: string;
  readonly hub?: boolean;
}

/**
 * `platform admin cluster import`: imports or updates a cluster. With `--json`, prints
 * `{"id":1,"uid":"…","name":"N","owner":"O"}`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function importCluster(
  { owner, name, kubeconfig, uid = '', displayName, provider, hub = false, ...server }: ImportClusterOptions,
  environment: Environment, output: Output,
): Promise<void> {
  const cures = ['Name another file with --kubeconfig.', 'Name a kubeconfig with --kubeconfig.'] as const;
  const text = kubeconfig === undefined ? '' : await readGiven(kubeconfig, ...cures);
  await using clusters = await connectOperator(ClusterAdminServiceService, 'clusters', server, environment);
  await using followers = await openFollowers(followerNames, server, environment);
  const request = { owner, name, kubeconfig: text, uid, displayName, provider, hub };
  const imported = await clusters.importCluster(request, operatorCall());
  const answer = { id: imported.id, uid: imported.uid, name: imported.name, owner: imported.owner };
  const shown = `Cluster ${answer.id}: ${answer.name} of ${answer.owner}, UID ${answer.uid}`;
  await followers.follow('clusters', `${shown}, is imported`);
  output.answer(answer, () => [shown]);
}

/**
 * `platform admin cluster list`: prints the clusters of one account, or of all accounts. With `--json`, prints
 * `{"clusters": […]}`, with the fields of RegisteredCluster.
 * @throws Fault, for example NOT_FOUND for an unknown owner; CommandFault, ConfigError
 */
export async function listClusters(
  { owner = '', ...server }: ServerOptions & { readonly owner?: string }, environment: Environment, output: Output,
): Promise<void> {
  const found = await readClusters(owner, server, environment);
  output.answer({ clusters: found }, () => columns([
    ['ID', 'OWNER', 'NAME', 'UID', 'PROVIDER', 'VERSION', 'NODES', 'HUB', 'PHASE'],
    ...found.map((one) => [
      String(one.id), one.owner, one.name, one.uid, one.provider, one.kubernetesVersion, String(one.nodeCount),
      one.hub ? 'yes' : '', one.phase,
    ]),
  ]));
}

/** @param owner empty for the clusters of all accounts */
async function readClusters(
  owner: string, server: ServerOptions, environment: Environment,
): Promise<readonly RegisteredCluster[]> {
  await using clusters = await connectOperator(ClusterAdminServiceService, 'clusters', server, environment);
  return await allParts((after) => clusters.listClusters({ owner, page: 0, limit: 0, after }, operatorCall()),
    (part) => part.clusters);
}

/**
 * `platform admin cluster move`: moves a cluster to another account. With `--json`, prints the same fields as `cluster
 * import`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function moveCluster(
  { owner, name, to, ...server }: ClusterOptions & { readonly to: string }, environment: Environment, output: Output,
): Promise<void> {
  const found = (await readClusters(owner, server, environment)).find((cluster) => cluster.name === name);
  if (found === undefined) {
    throw new CommandFault(`${owner} has no cluster ${name}`, 'See `platform admin cluster list`.');
  }
  const account = await findAccount(to, server, environment);
  await using clusters = await connectOperator(ClusterOwnerServiceService, 'clusters', server, environment);
  await using followers = await openFollowers(followerNames, server, environment);
  const { id, uid } = await clusters.moveCluster({ id: found.id, ownerId: account.id }, operatorCall());
  await followers.follow('clusters', `Moved ${name} of ${owner} to ${account.name}`);
  output.answer({ id, uid, name, owner: account.name }, () => [`Moved ${name} of ${owner} to ${account.name}.`]);
}

/**
 * `platform admin cluster remove`: removes a cluster. With `--json`, prints `{"removed":true}`.
 * @throws Fault, for example CONFLICT if the cluster is in use and `force` is false; CommandFault, ConfigError
 */
export async function removeCluster(
  { owner, name, force = false, ...server }: ClusterOptions & { readonly force?: boolean },
  environment: Environment, output: Output,
): Promise<void> {
  await using clusters = await connectOperator(ClusterAdminServiceService, 'clusters', server, environment);
  await using followers = await openFollowers(followerNames, server, environment);
  await clusters.removeCluster({ owner, name, force }, operatorCall());
  await followers.follow('clusters', `Removed ${name} of ${owner}`);
  output.answer({ removed: true }, () => [`Removed ${name} of ${owner}.`]);
}
