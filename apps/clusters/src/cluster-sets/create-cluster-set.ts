import { Conflicted, createObject, managedClusterSets } from '@platform/kubernetes';
import type { ClusterSetServiceService } from '@platform/proto/clusters/v1/cluster_set';
import type { Handler } from '@platform/rpc';
import { nameTaken } from '@platform/values';
import type { Parts } from '../parts.ts';
import { moveInto } from './move-clusters.ts';
import { setToCreate } from './options.ts';
import { clustersNamed, readClusters } from './sets.ts';

/** POST /clusters/{owner}/{cluster}/clustersets/create (spec §4.12, open-points 12.2). */
export function createClusterSet({ hubs }: Parts): Handler<typeof ClusterSetServiceService.createClusterSet> {
  return async ({ options }, context) => {
    const { set: name, clusters: names } = setToCreate(options);
    const hub = await hubs.of(context);
    const clusters = names.length === 0 ? [] : clustersNamed(await readClusters(hub, context.deadline), names);
    await hub.confirm();
    const selector = { selectorType: 'ExclusiveClusterSetLabel' };
    const set = { metadata: { name }, spec: { clusterSelector: selector } };
    await createObject(hub.connection, managedClusterSets, set, context.deadline).catch((error: unknown) => {
      throw error instanceof Conflicted ? nameTaken(name, error) : error;
    });
    if (clusters.length > 0) await moveInto(hub, name, clusters, context.deadline);
    return {};
  };
}
