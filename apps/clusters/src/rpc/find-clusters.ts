import { type Database, sql } from '@platform/postgres';
import type { Cluster, ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import type { Handler } from '@platform/rpc';
import { uuidProblem } from '@platform/values';

/** The clusters of a UID, as other services need them at a single request. */
export function findClusters(database: Database): Handler<typeof ClusterOwnerServiceService.findClusters> {
  return async ({ uid = '', ownerId }, { deadline }) => {
    if (uuidProblem(uid) !== undefined) return { clusters: [] };
    const ofOwner = ownerId === undefined ? sql`` : sql`and owner_id = ${ownerId}`;
    const clusters = await database.query(sql<Cluster>`
      select id, uid, name, display_name as "displayName", owner_id as "ownerId",
             extract(epoch from created_at)::bigint as "createdAt"
        from cluster where uid = ${uid}::uuid ${ofOwner} order by id`, { deadline });
    return { clusters };
  };
}
