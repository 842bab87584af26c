import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/** What views show of a cluster. */
export interface ClusterName {
  readonly name: string;
  readonly provider: string;
}

export interface OwnedCluster {
  readonly ownerId: number;
  readonly clusterUid: string;
}

/** Names of clusters as their owners have imported them; those that were never imported have none. */
export async function readClusterNames(
  queryable: Queryable, clusters: readonly OwnedCluster[], deadline: Deadline,
): Promise<(cluster: OwnedCluster) => ClusterName> {
  const unknown: ClusterName = { name: '', provider: 'Generic' };
  // By owner, then by UID. There may be 100,000 rows of few clusters, and those of a cluster mostly follow each other.
  const names = new Map<number, Map<string, ClusterName>>();
  let last: OwnedCluster | undefined;
  for (const cluster of clusters) {
    if (isSame(cluster, last)) continue;
    last = cluster;
    let own = names.get(cluster.ownerId);
    if (own === undefined) names.set(cluster.ownerId, (own = new Map()));
    own.set(cluster.clusterUid, unknown);
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
  last = undefined;
  let lastName = unknown;
  return (cluster) => {
    if (isSame(cluster, last)) return lastName;
    last = cluster;
    return (lastName = names.get(cluster.ownerId)!.get(cluster.clusterUid)!);
  };
}

function isSame({ ownerId, clusterUid }: OwnedCluster, other: OwnedCluster | undefined): boolean {
  return clusterUid === other?.clusterUid && ownerId === other.ownerId;
}

interface OwnerName {
  readonly ownerID: number;
  readonly ownerName: string;
}

/** Undefined where rows are of one owner: they do not show whose they are (open-points 7.1). */
export type OwnerOf = ((ownerId: number) => OwnerName) | undefined;

/** What rows show of their owners. @param ownerId the one owner; undefined: all */
export async function readOwnerNames(
  queryable: Queryable, ownerId: number | undefined, rows: readonly { readonly ownerId: number }[], deadline: Deadline,
): Promise<OwnerOf> {
  if (ownerId !== undefined) return undefined;
  const ids = [...new Set(rows.map((row) => row.ownerId))];
  const owners = await queryable.query(
    sql<{ id: number; slug: string }>`select id, slug from account where id = any (${ids}::bigint[])`, { deadline },
  );
  const slugs = new Map(owners.map(({ id, slug }) => [id, slug]));
  return (id) => ({ ownerID: id, ownerName: slugs.get(id) ?? '' });
}

/** The JSON of a row, with what it shows of its owner. */
export function withOwner(ownerOf: OwnerOf, ownerId: number, row: string): string {
  return ownerOf === undefined ? row : `${JSON.stringify(ownerOf(ownerId)).slice(0, -1)},${row.slice(1)}`;
}
