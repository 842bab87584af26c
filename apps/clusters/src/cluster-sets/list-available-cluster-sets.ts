import { pageOf, partOf } from '@platform/lists';
import type { ClusterSetServiceService } from '@platform/proto/clusters/v1/cluster_set';
import type { Handler } from '@platform/rpc';
import { invalidParameter } from '@platform/values';
import { clustersOf, isForClients } from '../hubs/selection.ts';
import type { Parts } from '../parts.ts';
import { readAvailable } from './available.ts';
import { readSets } from './sets.ts';

/** GET /clusters/{owner}/{cluster}/available-clustersets (spec §4.12, open-points 12.2). */
export function listAvailableClusterSets(
  parts: Parts,
): Handler<typeof ClusterSetServiceService.listAvailableClusterSets> {
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
