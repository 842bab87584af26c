import { pageOf, partOf } from '@platform/lists';
import type { ClusterSetServiceService } from '@platform/proto/clusters/v1/cluster_set';
import type { Handler } from '@platform/rpc';
import { setOf } from '../hubs/selection.ts';
import type { Parts } from '../parts.ts';
import { readAvailable } from './available.ts';
import { readUids } from './uids.ts';

/** GET /clusters/{owner}/{cluster}/available-clusters (spec §4.12). */
export function listAvailableClusters(parts: Parts): Handler<typeof ClusterSetServiceService.listAvailableClusters> {
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
