import {
  applyObject, type ClusterConnection, deleteObject, findObject, type ManifestWork, manifestWorks, withoutConflict,
} from '@platform/kubernetes';
import { sql } from '@platform/postgres';
import { unavailable } from '@platform/faults';
import { type Deadline, deadlineIn, pause, remaining } from '@platform/service';
import type { Parts } from '../parts.ts';
import { manifestsOf, type SpokeGateway } from './manifests.ts';
import type { ClientRow } from './store.ts';
import {
  type ClientClusterRow, type ClusterState, markClusterDeleted, openGateway, readClientClusters,
} from './cluster-store.ts';

/** Maximum time that one run waits until a ManifestWork is deleted, in milliseconds. The next run waits again. */
const patienceMs = 8_000;
/** Maximum time that one run waits until the namespaces are labelled as terminating, in milliseconds. */
const labelMs = 3_000;
const pollMs = 200;

type LineParts = Pick<Parts, 'config' | 'database' | 'hubs' | 'sealer'>;

/**
 * Applies the wanted state of a client organization to its spokes, with one ManifestWork for each spoke. May run at any
 * time and any number of times.
 * @throws Fault UNAVAILABLE if the hub is needed but no longer imported; the failure of a spoke, after all spokes
 *   were tried
 */
export async function bringInLine(parts: LineParts, client: ClientRow, deadline: Deadline): Promise<void> {
  const clusters = await readClientClusters(parts.database, client.id, deadline);
  if (clusters.length === 0) return;
  const hub = await parts.hubs.connection(client.hub, deadline);
  if (hub === undefined) {
    if (clusters.every(({ state }) => state === 'deleted')) return;
    throw unavailable('the hub, which is no longer imported,');
  }
  const tried = await Promise.allSettled(clusters.map((cluster) => spokeInLine(parts, hub, client, cluster, deadline)));
  const failed = tried.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function spokeInLine(
  parts: LineParts, hub: ClusterConnection, client: ClientRow, cluster: ClientClusterRow, deadline: Deadline,
): Promise<void> {
  const { database } = parts;
  const work = workOf(parts, client, cluster);
  if (cluster.state === 'active') {
    await withoutConflict(() => applyObject(hub, manifestWorks, work, deadline));
    // Read the state again. A removal of the spoke may have run before this ManifestWork existed, and may have found
    // nothing to delete.
    const now = await database.maybeOne(sql<{ state: ClusterState }>`
      select state from client_cluster where id = ${cluster.id}`, { deadline });
    if (now?.state === 'active') return;
  }
  await removeWork(hub, work, deadline);
  await database.transact(async (transaction) => {
    if (!(await markClusterDeleted(transaction, cluster.id))) return;
    await transaction.execute(sql`
      delete from cluster using client_cluster
       where client_cluster.id = ${cluster.id} and cluster.owner_id = ${client.organizationId}
         and cluster.uid = client_cluster.uid and cluster.hub_owner_id is null`);
  });
}

/** Builds the only ManifestWork of a client organization for a spoke. Two would compete for the same namespaces. */
function workOf(parts: LineParts, { name, organizationId }: ClientRow, cluster: ClientClusterRow): ManifestWork {
  const domain = parts.config.labelsDomain;
  const { settings, gatewayOf } = cluster;
  const own = openGateway(parts.sealer, cluster)?.reveal();
  const gateway: SpokeGateway | undefined = own !== undefined
    ? { kind: 'own', config: own }
    : gatewayOf === null ? undefined : { kind: 'shared', of: gatewayOf };
  const client = { organizationId: organizationId!, name, settings, gateway, terminating: cluster.state !== 'active' };
  return {
    metadata: {
      name: `client-org-${organizationId}`, namespace: cluster.name,
      labels: { [`${domain}/org-id`]: String(organizationId) },
    },
    spec: { workload: { manifests: manifestsOf(client, domain) } },
  };
}

/**
 * Labels the namespaces of a ManifestWork as terminating, then deletes the ManifestWork. Open Cluster Management keeps
 * the ManifestWork until its objects on the spoke are deleted.
 * @throws Fault UNAVAILABLE if the ManifestWork is not gone in time
 */
async function removeWork(hub: ClusterConnection, work: ManifestWork, deadline: Deadline): Promise<void> {
  const find = () => findObject(hub, manifestWorks, work.metadata, deadline);
  const until = deadlineIn(Math.min(patienceMs, remaining(deadline)), deadline.signal);
  let now = await find();
  if (now !== undefined && now.metadata.deletionTimestamp === undefined) {
    const { uid } = now.metadata;
    now = await withoutConflict(() =>
      applyObject(hub, manifestWorks, { ...work, metadata: { ...work.metadata, uid: uid! } }, deadline));
    const labelled = deadlineIn(Math.min(labelMs, remaining(until)), until.signal);
    while (now !== undefined && !isApplied(now) && remaining(labelled) > 0) {
      await pause(pollMs, until.signal);
      now = await find();
    }
    if (now !== undefined) await deleteObject(hub, manifestWorks, now, deadline);
  }
  while (await find() !== undefined) {
    if (remaining(until) === 0) {
      throw unavailable('confirmation that a cluster has deleted the resources of a client organization');
    }
    await pause(pollMs, until.signal);
  }
}

function isApplied({ metadata, status }: ManifestWork): boolean {
  return status?.conditions?.some(({ type, status: holds, observedGeneration }) =>
    type === 'Applied' && holds === 'True' && observedGeneration === metadata.generation) ?? false;
}
