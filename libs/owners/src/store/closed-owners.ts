import { type Queryable, type QueryOptions, sql, type Transaction } from '@platform/postgres';

/**
 * Locks the owner until the transaction ends. Waits for transactions that add rows for the owner or move rows to it,
 * and makes new ones wait. Must be the first statement of a transaction that closes or reopens an owner.
 */
export async function lockOwnerAlone(transaction: Transaction, ownerId: number): Promise<void> {
  await transaction.execute(sql`select lock_owner_alone(${ownerId})`);
}

/**
 * Compares the mark of a deletion with the stored mark of the owner (authorization.md W5). A newer mark is stored. An
 * undefined mark counts as newer.
 */
export async function compareMark(
  transaction: Transaction, ownerId: number, mark: number | undefined,
): Promise<'newer' | 'same' | 'older'> {
  const { newest } = await transaction.one(sql<{ newest: number }>`
    select coalesce(max(mark), 0) as "newest" from owner_mark where owner_id = ${ownerId}`);
  const given = mark ?? newest + 1;
  if (given <= newest) return given === newest ? 'same' : 'older';
  await transaction.execute(sql`
    insert into owner_mark (owner_id, mark) values (${ownerId}, ${given})
    on conflict (owner_id) do update set mark = excluded.mark`);
  return 'newer';
}

export async function addClosedOwner(transaction: Transaction, ownerId: number): Promise<void> {
  await transaction.execute(sql`insert into closed_owner (owner_id) values (${ownerId}) on conflict do nothing`);
}

export async function removeClosedOwner(transaction: Transaction, ownerId: number): Promise<void> {
  await transaction.execute(sql`delete from closed_owner where owner_id = ${ownerId}`);
}

/** Returns the given ids that belong to closed accounts, in ascending order. */
export async function findClosedOwners(
  queryable: Queryable, ownerIds: readonly number[], options?: QueryOptions,
): Promise<number[]> {
  const rows = await queryable.query<{ ownerId: number }>(
    sql`select owner_id as "ownerId" from closed_owner where owner_id = any(${ownerIds}::bigint[]) order by owner_id`,
    options,
  );
  return rows.map(({ ownerId }) => ownerId);
}
