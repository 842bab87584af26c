import { moveRow, type OwnedRow, putRows } from '@platform/owners';
import { type Database, sql } from '@platform/postgres';
import type { Cluster, ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import type { Handlers } from '@platform/rpc';
import { uuidProblem } from '@platform/values';
import { clusterTable } from './store.ts';

export function clusterOwnerMethods(database: Database): Handlers<typeof ClusterOwnerServiceService> {
  const put = putRows(database, clusterTable);
  const move = moveRow(database, clusterTable);
  return {
    putClusters: async ({ clusters }, { deadline }) => {
      const given = clusters.map(({ uid: key, ownerId, ...texts }) => ({ key, ownerId, ...texts }));
      return { clusters: (await put(given, deadline)).map(toCluster) };
    },
    /** The clusters with the given UID, of all owners or of one owner. An invalid UID gives an empty list. */
    findClusters: async ({ uid = '', ownerId }, { deadline }) => {
      if (uuidProblem(uid) !== undefined) return { clusters: [] };
      const ofOwner = ownerId === undefined ? sql`` : sql`and owner_id = ${ownerId}`;
      const clusters = await database.query(sql<Cluster>`
        select id, uid, name, display_name as "displayName", owner_id as "ownerId",
               extract(epoch from created_at)::bigint as "createdAt"
          from cluster where uid = ${uid}::uuid ${ofOwner} order by id`, { deadline });
      return { clusters };
    },
    moveCluster: async (request, { deadline }) => toCluster(await move(request, deadline)),
  };
}

function toCluster({ key: uid, createdAt, ...row }: OwnedRow<'name' | 'displayName'>): Cluster {
  return { ...row, uid, createdAt: Math.floor(createdAt.getTime() / 1000) };
}
