import { type Queryable, sql, type Transaction } from '@platform/postgres';
import type { Sequence } from './store-pages.ts';

const sequences: readonly Sequence[] = ['account', 'team', 'role', 'access_token'];

/** Returns the sequences that would issue an id that a row or a tuple in the engine already uses. */
export async function findBehind(queryable: Queryable, highest: ReadonlyMap<Sequence, number>): Promise<Sequence[]> {
  const behind: Sequence[] = [];
  for (const sequence of sequences) {
    if ((await leastOf(queryable, sequence, highest)) !== undefined) behind.push(sequence);
  }
  return behind;
}

/**
 * Advances the sequences that {@link findBehind} returns. Locks each table, so that no insert takes an id meanwhile.
 */
export async function moveBehind(
  transaction: Transaction, highest: ReadonlyMap<Sequence, number>,
): Promise<Sequence[]> {
  const moved: Sequence[] = [];
  for (const sequence of await findBehind(transaction, highest)) {
    await transaction.query(sql`lock table ${sql.identifier(sequence)} in share row exclusive mode`);
    const least = await leastOf(transaction, sequence, highest);
    if (least === undefined) continue;
    await transaction.query(sql`select setval(pg_get_serial_sequence(${sequence}, 'id'), ${least})`);
    moved.push(sequence);
  }
  return moved;
}

/** Returns the highest id that is used, if the sequence would issue it again; otherwise undefined. */
async function leastOf(
  queryable: Queryable, sequence: Sequence, highest: ReadonlyMap<Sequence, number>,
): Promise<number | undefined> {
  const { stands, inRows } = await queryable.one(sql<{ stands: number; inRows: number }>`
    select coalesce(pg_sequence_last_value(pg_get_serial_sequence(${sequence}, 'id')::regclass), 0) as "stands",
           (select coalesce(max(id), 0) from ${sql.identifier(sequence)}) as "inRows"`);
  const least = Math.max(inRows, highest.get(sequence) ?? 0);
  return stands < least ? least : undefined;
}
