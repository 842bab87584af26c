import type { ManagedCluster } from '@platform/kubernetes';
import { pageOf, partOf } from '@platform/lists';
import type { ClusterSetServiceService } from '@platform/proto/clusters/v1/cluster_set';
import type { AccountContext, Handler } from '@platform/rpc';
import { invalidParameter } from '@platform/values';
import type { Hub } from '../hubs/hubs.ts';
import { clustersOf, isAvailable, isForClients, setOf } from '../hubs/selection.ts';
import { readImportedBy } from '../hubs/store.ts';
import type { Parts } from '../parts.ts';
import { readClusters, readSets } from './sets.ts';
import { readUids } from './uids.ts';

type Methods = typeof ClusterSetServiceService;

/** GET /clusters/{owner}/{cluster}/available-clusters (spec §4.12). */
export function listAvailableClusters(parts: Parts): Handler<Methods['listAvailableClusters']> {
  return async (request, context) => {
    const page = pageOf(request, parts.config);
    const hub = await parts.hubs.of(context);
    const available = await readAvailable(parts, hub, context);
    const { items, total, next } = partOf(available.clusters, ({ metadata }) => metadata.name, page);
    const uids = await readUids(hub, items, parts.config.labelsDomain, context.deadline);
    const clusters = items.map((cluster) => ({
      name: cluster.metadata.name,
      clusterUid: uids.get(cluster)!,
      clusterUrl: cluster.spec?.managedClusterClientConfigs?.[0]?.url ?? '',
      clusterSet: setOf(cluster),
    }));
    return { clusters, total, next };
  };
}

/** GET /clusters/{owner}/{cluster}/available-clustersets (spec §4.12, open-points 12.2). */
export function listAvailableClusterSets(parts: Parts): Handler<Methods['listAvailableClusterSets']> {
  return async (request, context) => {
    const page = pageOf(request, parts.config);
    const onlyForClients = request.type === 'client-org';
    if (!onlyForClients && request.type !== '') throw invalidParameter('type', 'must be empty or client-org');
    const hub = await parts.hubs.of(context);
    const [sets, { clusters, isClient }] = await Promise.all([
      readSets(hub, context.deadline), readAvailable(parts, hub, context),
    ]);
    const names = sets
      .filter((set) => !isClient || clustersOf(set, clusters).length > 0)
      .filter((set) => !onlyForClients || isForClients(set, clusters, parts.config.labelsDomain))
      .map(({ metadata }) => metadata.name);
    const { items, total, next } = partOf(names, (name) => name, page);
    return { clusterSets: [...items], total, next };
  };
}

/**
 * The accepted and joined clusters that an account sees (open-points 12.2). A client organization sees only the
 * clusters imported for it.
 */
async function readAvailable(
  { config, database }: Parts, hub: Hub, { account, deadline }: AccountContext,
): Promise<{ readonly clusters: readonly ManagedCluster[]; readonly isClient: boolean }> {
  const isClient = account.kind === 'organization' && account.standing.client === true;
  const clusters = (await readClusters(hub, deadline)).filter(isAvailable);
  if (!isClient) return { clusters, isClient };
  const uids = await readUids(hub, clusters, config.labelsDomain, deadline);
  const imported = await readImportedBy(database, [...uids.values()].filter((uid) => uid !== ''), account.id, deadline);
  return { clusters: clusters.filter((cluster) => imported.has(uids.get(cluster)!)), isClient };
}
