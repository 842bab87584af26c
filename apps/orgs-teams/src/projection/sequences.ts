import { type Queryable, sql, type Transaction } from '@platform/postgres';
import type { Sequence } from './store-pages.ts';

const sequences: readonly Sequence[] = ['account', 'team', 'role', 'access_token'];

/** Returns the sequences that would issue an id that a row or a tuple in the engine already uses. */
export async function findBehind(queryable: Queryable, highest: ReadonlyMap<Sequence, number>): Promise<Sequence[]> {
  const behind: Sequence[] = [];
  for (const sequence of sequences) {
    const { stands, inRows } = await readSequence(queryable, sequence);
    if (stands < Math.max(inRows, highest.get(sequence) ?? 0)) behind.push(sequence);
  }
  return behind;
}

/**
 * Advances the sequences that {@link findBehind} returns. Locks each table against inserts, so that no insert takes an
 * id while the sequence is set.
 */
export async function moveBehind(
  transaction: Transaction, highest: ReadonlyMap<Sequence, number>,
): Promise<Sequence[]> {
  const behind = await findBehind(transaction, highest);
  const moved: Sequence[] = [];
  for (const sequence of behind) {
    await transaction.query(sql`lock table ${sql.identifier(sequence)} in share row exclusive mode`);
    const { stands, inRows } = await readSequence(transaction, sequence);
    const least = Math.max(inRows, highest.get(sequence) ?? 0);
    if (stands >= least) continue;
    await transaction.query(sql`select setval(pg_get_serial_sequence(${sequence}, 'id'), ${least})`);
    moved.push(sequence);
  }
  return moved;
}

async function readSequence(queryable: Queryable, sequence: Sequence): Promise<{ stands: number; inRows: number }> {
  return queryable.one(sql<{ stands: number; inRows: number }>`
    select coalesce(pg_sequence_last_value(pg_get_serial_sequence(${sequence}, 'id')::regclass), 0) as "stands",
           (select coalesce(max(id), 0) from ${sql.identifier(sequence)}) as "inRows"`);
}
