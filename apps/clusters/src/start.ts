import { deleteRow, findOwners, getStatus, ownerMethods } from '@platform/owners';
import { openDatabase } from '@platform/postgres';
import { ClusterAdminServiceService } from '@platform/proto/clusters/v1/admin';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { implement, objectsById, openPeers, openRateLimiter, openRemoteGuard, openRpc } from '@platform/rpc';
import { openService, type RunningService } from '@platform/service';
import type { ClustersConfig } from './config.ts';
import { moveCluster } from './rpc/move-cluster.ts';
import { putClusters } from './rpc/put-clusters.ts';
import { clusterTable } from './cluster-table.ts';

/** Wires the service and starts it. Disposing it finishes the calls accepted, then lets go of everything. */
export function start(config: ClustersConfig, stopping: AbortSignal): Promise<RunningService> {
  return openService('clusters', config, stopping, async (service) => {
    const migrations = new URL('../migrations/', import.meta.url);
    const database = await openDatabase(service, config, { schema: 'clusters', migrations });
    const peers = await openPeers(service, config);
    const guard = openRemoteGuard(service, config, peers, {
      cluster: objectsById((ids, { deadline }) => findOwners(database, clusterTable, ids, { deadline })),
    });
    const services = [
      implement(ClusterAdminServiceService, { getStatus: getStatus(database) }),
      implement(ClusterOwnerServiceService, {
        ...ownerMethods(database, clusterTable),
        putClusters: putClusters(database),
        moveCluster: moveCluster(database),
        deleteCluster: deleteRow(database, clusterTable),
      }),
    ];
    return openRpc(service, config, { ...peers, guard, services, rateLimiter: openRateLimiter(service, config) });
  });
}
