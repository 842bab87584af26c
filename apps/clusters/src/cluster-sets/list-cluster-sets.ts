import { pageOf, partOf } from '@platform/lists';
import type { ClusterSetServiceService } from '@platform/proto/clusters/v1/cluster_set';
import type { Handler } from '@platform/rpc';
import { clustersOf } from '../hubs/selection.ts';
import type { Parts } from '../parts.ts';
import { readClusters, readSets } from './sets.ts';

/** GET /clusters/{owner}/{cluster}/clustersets (spec §4.12): one call to the hub for each kind. */
export function listClusterSets({ config, hubs }: Parts): Handler<typeof ClusterSetServiceService.listClusterSets> {
  return async (request, context) => {
    const page = pageOf(request, config);
    const hub = await hubs.of(context);
    const [sets, clusters] = await Promise.all([readSets(hub, context.deadline), readClusters(hub, context.deadline)]);
    const { items, total, next } = partOf(sets, ({ metadata }) => metadata.name, page);
    const clusterSets = items.map((set) => ({
      clusterSetName: set.metadata.name,
      clusterSetTitle: set.metadata.annotations?.[`${config.labelsDomain}/title`] ?? '',
      clusters: clustersOf(set, clusters).length,
    }));
    return { clusterSets, total, next };
  };
}
