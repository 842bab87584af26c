import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { OwnedCluster } from './read-object-lines.ts';
import { type Quota, type QuotaUse, readQuotaUse } from './quota-use.ts';

type ClusterName = Readonly<Record<'name' | 'provider', string>>;

/**
 * Reads the names and providers of clusters. A cluster that its owner never imported has an empty name and the provider
 * `Generic`.
 */
export async function readClusterNames(
  queryable: Queryable, clusters: readonly OwnedCluster[], deadline: Deadline,
): Promise<(cluster: OwnedCluster) => ClusterName> {
  const unknown: ClusterName = { name: '', provider: 'Generic' };
  const names = new Map<number, Map<string, ClusterName>>();
  for (const { ownerId, clusterUid } of clusters) {
    let own = names.get(ownerId);
    if (own === undefined) names.set(ownerId, (own = new Map()));
    own.set(clusterUid, unknown);
  }
  const distinct = [...names].flatMap(([ownerId, own]) => [...own.keys()].map((uid) => ({ ownerId, uid })));
  const found = await queryable.query(sql<OwnedCluster & ClusterName>`
    select distinct on (cluster.owner_id, cluster.uid) cluster.owner_id as "ownerId", cluster.uid as "clusterUid",
           cluster.name, cluster.provider
      from unnest(
        ${distinct.map(({ ownerId }) => ownerId)}::bigint[], ${distinct.map(({ uid }) => uid)}::uuid[]
      ) as given (owner_id, uid)
      join cluster on cluster.owner_id = given.owner_id and cluster.uid = given.uid
     order by cluster.owner_id, cluster.uid, cluster.removed, cluster.id desc`, { deadline });
  for (const { ownerId, clusterUid, name, provider } of found) names.get(ownerId)!.set(clusterUid, { name, provider });
  return ({ ownerId, clusterUid }) => names.get(ownerId)!.get(clusterUid)!;
}

type ShownQuota = Pick<Quota & QuotaUse, 'metric' | 'limit' | 'used' | 'percent'>;

/**
 * Reads names and quotas of contracts (open-points 5.1, 13.5). An unknown contract has an empty name and no quota.
 * @param until billable use counts up to this time, in microseconds since 1970
 */
export async function readContractNames(
  queryable: Queryable, ids: readonly number[], until: number, deadline: Deadline,
): Promise<(id: number) => { readonly name: string; readonly quota: ShownQuota | undefined }> {
  const contracts = await queryable.query(sql<{ id: number; name: string; metric: string; limit: number }>`
    select id, name, quota_metric as "metric", quota_limit as "limit" from contract
     where id = any (${[...new Set(ids)]}::bigint[])`, { deadline });
  const withQuota = contracts.filter(({ metric, limit }) => metric !== '' && limit > 0);
  const used = await readQuotaUse(queryable, withQuota, until, deadline);
  const names = new Map(contracts.map(({ id, name, metric, limit }) => {
    const own = used.get(id);
    const quota = own === undefined ? undefined : { metric, limit, used: own.used, percent: own.percent };
    return [id, { name, quota }];
  }));
  return (id) => names.get(id) ?? { name: '', quota: undefined };
}

/**
 * Returns the owner as rows show it. Undefined for a view of one owner, because the rows of such a view show no owner
 * (open-points 7.1).
 */
type OwnerOf = ((ownerId: number) => { readonly ownerID: number; readonly ownerName: string }) | undefined;

/**
 * Reads the names of the owners of `rows`. For a view of one owner, reads nothing and returns undefined.
 * @param ownerId the owner of such a view; undefined for a view of all owners
 */
export async function readOwnerNames(
  queryable: Queryable, ownerId: number | undefined, rows: Iterable<{ readonly ownerId: number }>, deadline: Deadline,
): Promise<OwnerOf> {
  if (ownerId !== undefined) return undefined;
  const ids = new Set<number>();
  for (const row of rows) ids.add(row.ownerId);
  const owners = await queryable.query(
    sql<{ id: number; slug: string }>`select id, slug from account where id = any (${[...ids]}::bigint[])`, { deadline },
  );
  const slugs = new Map(owners.map(({ id, slug }) => [id, slug]));
  return (id) => ({ ownerID: id, ownerName: slugs.get(id) ?? '' });
}

/** Returns the JSON of a row. If `ownerOf` is defined, adds the owner to it. */
export function withOwner(ownerOf: OwnerOf, ownerId: number, row: string): string {
  return ownerOf === undefined ? row : `${JSON.stringify(ownerOf(ownerId)).slice(0, -1)},${row.slice(1)}`;
}
