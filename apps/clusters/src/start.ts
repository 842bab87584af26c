import { deleteRow, findOwners, getStatus, ownerMethods } from '@platform/owners';
import { openDatabase } from '@platform/postgres';
import { ClusterAdminServiceService } from '@platform/proto/clusters/v1/admin';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { readImage } from '@platform/proto/image';
import { implement, openRateLimiter, openRemoteGuard, openRpc } from '@platform/rpc';
import { openService, type RunningService } from '@platform/service';
import { readSurface } from '@platform/surface';
import type { ClustersConfig } from './config.ts';
import { moveCluster } from './rpc/move-cluster.ts';
import { putClusters } from './rpc/put-clusters.ts';
import { clusterTable } from './cluster-table.ts';

/** Wires the service and starts it. Disposing it finishes the calls accepted, then lets go of everything. */
export function start(config: ClustersConfig): Promise<RunningService> {
  return openService('clusters', config, async (service) => {
    const migrations = new URL('../migrations/', import.meta.url);
    const database = await openDatabase(service, config, { schema: 'clusters', migrations });
    const surface = readSurface(await readImage());
    const guard = openRemoteGuard(service, config, surface, {
      cluster: (ids, { deadline }) => findOwners(database, clusterTable, ids, { deadline }),
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
    return openRpc(service, config, { surface, guard, services, rateLimiter: openRateLimiter(service, config) });
  });
}
