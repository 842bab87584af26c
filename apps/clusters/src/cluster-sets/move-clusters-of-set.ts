import type { ClusterSetOptions, ClusterSetServiceService } from '@platform/proto/clusters/v1/cluster_set';
import type { CallContext, Handler, ObjectContext } from '@platform/rpc';
import { invalidValue } from '@platform/values';
import { isExclusive } from '../hubs/selection.ts';
import type { Parts } from '../parts.ts';
import { moveInto, moveOut } from './move-clusters.ts';
import { clustersToMove } from './options.ts';
import { clustersNamed, readClusters, readSet } from './sets.ts';

/** POST /clusters/{owner}/{cluster}/clustersets/add (spec §4.12, open-points 12.2). */
export function addClusters(parts: Parts): Handler<typeof ClusterSetServiceService.addClusters> {
  return async ({ options }, context) => await move(parts, options, context, moveInto);
}

/** POST /clusters/{owner}/{cluster}/clustersets/remove (spec §4.12, open-points 12.2). */
export function removeClusters(parts: Parts): Handler<typeof ClusterSetServiceService.removeClusters> {
  return async ({ options }, context) => await move(parts, options, context, moveOut);
}

async function move(
  { hubs }: Parts, options: ClusterSetOptions | undefined, context: CallContext & ObjectContext, act: typeof moveInto,
): Promise<Record<string, never>> {
  const { set: name, clusters: names } = clustersToMove(options);
  const { deadline } = context;
  const hub = await hubs.of(context);
  const [set, all] = await Promise.all([readSet(hub, name, deadline), readClusters(hub, deadline)]);
  if (!isExclusive(set)) {
    throw invalidValue([{ path: 'clusterSet', message: 'must not be a set that selects its clusters by labels' }]);
  }
  const clusters = clustersNamed(all, names);
  await hub.confirm();
  await act(hub, name, clusters, deadline);
  return {};
}
