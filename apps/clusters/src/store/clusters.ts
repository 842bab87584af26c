import { type Queryable, type QueryOptions, sql } from '@platform/postgres';
import type { ObjectOwner } from '@platform/rpc';

/** A row of `cluster`. */
export interface ClusterRow {
  id: number;
  /** UUID in lower case. */
  uid: string;
  name: string;
  displayName: string;
  ownerId: number;
  createdAt: Date;
}

/** What a row is made of. */
export type NewCluster = Pick<ClusterRow, 'uid' | 'name' | 'displayName' | 'ownerId'>;

/** Constraint broken by rows for a closed owner. */
export const ownerOpenConstraint = 'cluster_owner_open';

const columns = sql`id, uid, name, display_name as "displayName", owner_id as "ownerId", created_at as "createdAt"`;

/** Owners of the clusters that exist, by id (authorization.md R2). */
export async function findOwners(
  database: Queryable,
  ids: readonly number[],
  options: QueryOptions,
): Promise<Map<number, ObjectOwner>> {
  if (ids.length === 0) return new Map();
  const rows = await database.query<{ id: number; ownerId: number }>(
    sql`select id, owner_id as "ownerId" from cluster where id = any(${ids}::bigint[])`,
    options,
  );
  return new Map(rows.map(({ id, ownerId }) => [id, { ownerId }]));
}

/** How many clusters an account has. */
export async function countOfOwner(database: Queryable, ownerId: number): Promise<number> {
  const { held } = await database.one<{ held: number }>(
    sql`select count(*) as held from cluster where owner_id = ${ownerId}`,
  );
  return held;
}

/**
 * Adds those whose UID is not known yet.
 * @throws CheckViolation of {@link ownerOpenConstraint}
 */
export async function addMissing(database: Queryable, clusters: readonly NewCluster[]): Promise<void> {
  // Known ones are left out beforehand, because each conflict would use up an id. In the order of UIDs, so that two
  // such statements wait for each other only one way round.
  await database.execute(sql`
    insert into cluster (uid, owner_id, name, display_name)
    select g.uid, g.owner_id, g.name, g.display_name
      from ${given(clusters)}
     where not exists (select from cluster c where c.uid = g.uid)
     order by g.uid
        on conflict (uid) do nothing`);
}

/** Locks the rows of these UIDs until the transaction ends, and answers them; unknown ones are left out. */
export function lockByUid(database: Queryable, uids: readonly string[]): Promise<ClusterRow[]> {
  return database.query<ClusterRow>(
    sql`select ${columns} from cluster where uid = any(${uids}::uuid[]) order by uid for no key update`,
  );
}

/** Gives rows the names that they do not have yet. Their locks must be held (see {@link lockByUid}). */
export async function rename(database: Queryable, clusters: readonly NewCluster[]): Promise<void> {
  await database.execute(sql`
    update cluster c set name = g.name, display_name = g.display_name
      from ${given(clusters)}
     where c.uid = g.uid`);
}

/**
 * Gives a cluster to another owner, and answers it; undefined when there is none.
 * @throws CheckViolation of {@link ownerOpenConstraint}
 */
export function move(
  database: Queryable,
  id: number,
  ownerId: number,
  options: QueryOptions,
): Promise<ClusterRow | undefined> {
  return database.maybeOne<ClusterRow>(
    sql`update cluster set owner_id = ${ownerId} where id = ${id} returning ${columns}`,
    options,
  );
}

/** Deletes a cluster; false when there is none. */
export async function remove(database: Queryable, id: number, options: QueryOptions): Promise<boolean> {
  return (await database.execute(sql`delete from cluster where id = ${id}`, options)) === 1;
}

function given(clusters: readonly NewCluster[]) {
  return sql`unnest(
    ${clusters.map(({ uid }) => uid)}::uuid[], ${clusters.map(({ ownerId }) => ownerId)}::bigint[],
    ${clusters.map(({ name }) => name)}::text[], ${clusters.map(({ displayName }) => displayName)}::text[]
  ) as g (uid, owner_id, name, display_name)`;
}
