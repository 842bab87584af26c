import { type Fragment, type Queryable, type QueryOptions, sql } from '@platform/postgres';

/**
 * SQL condition: an account has shown that it controls a cluster (open-points 6.5). Either the account has imported the
 * cluster and the platform has contacted the imported cluster, or the agent of the cluster has reported with
 * credentials of the account.
 */
export function hasShown(ownerId: Fragment, clusterUid: Fragment): Fragment {
  return sql`(
    exists (
      select from imported_cluster held
       where held.owner_id = ${ownerId} and held.uid = ${clusterUid} and not held.removed
         and held.last_contact_at is not null
    ) or exists (
      select from cluster_contact contact
       where contact.owner_id = ${ownerId} and contact.cluster_uid = ${clusterUid}
    ))`;
}

/**
 * Whether the account has at least `most` clusters, besides `clusterUid`, of which it has not shown control. Clusters
 * count if the account has imported them or has a trial for them.
 */
export async function usesUnproven(
  queryable: Queryable, { ownerId, clusterUid, most }: { ownerId: number; clusterUid: string; most: number },
  options: QueryOptions = {},
): Promise<boolean> {
  const { count } = await queryable.one(sql<{ count: number }>`
    select count(*)::integer as "count"
      from (
        select uid
          from (
            select uid from imported_cluster where owner_id = ${ownerId} and not removed and last_contact_at is null
            union
            select cluster_uid from account_trial where owner_id = ${ownerId}
          ) used
         where uid <> ${clusterUid}::uuid and not ${hasShown(sql`${ownerId}::bigint`, sql`uid`)}
         limit ${most}
      ) unproven`, options);
  return count >= most;
}
