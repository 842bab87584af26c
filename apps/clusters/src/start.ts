import { publishFacts } from '@platform/facts';
import { deleteRow, findOwners, ownerService } from '@platform/owners';
import { openDatabase, postgresPicks } from '@platform/postgres';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { guardPicks, implement, objectsById, rpcPicks, serveGuarded } from '@platform/rpc';
import { type Config, servicePicks, type Start } from '@platform/service';
import { clusterTable } from './cluster-table.ts';
import { moveCluster } from './rpc/move-cluster.ts';
import { putClusters } from './rpc/put-clusters.ts';

/** The settings this service reads. */
export const picks = { ...servicePicks, ...postgresPicks, ...rpcPicks, ...guardPicks } as const;

/** The only place where the parts of the service are put together. */
export const start: Start<Config<typeof picks>> = async (service, config) => {
  const migrations = new URL('../migrations/', import.meta.url);
  const database = await openDatabase(service, config, { schema: 'clusters', migrations });
  return serveGuarded(service, config, {
    objects: { cluster: objectsById((ids, { deadline }) => findOwners(database, clusterTable, ids, { deadline })) },
    services: [
      ownerService(database, clusterTable),
      implement(ClusterOwnerServiceService, {
        putClusters: putClusters(database),
        moveCluster: moveCluster(database),
        deleteCluster: deleteRow(database, clusterTable),
      }),
      publishFacts(service, database),
    ],
  });
};
