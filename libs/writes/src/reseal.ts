import { type Fragment, sql, type Transaction } from '@platform/postgres';
import { SealBroken, type Sealed, type Sealer } from '@platform/service';

/** A table of secrets: it has `id` (bigint), `sealed_by` and a column with the secret. */
export interface SealedTable<Row extends object> {
  readonly table: string;
  /** Column of the secret; default `sealed_secret`. */
  readonly secret?: string;
  /** SQL select list: the columns that `identityOf` needs, such as sql`organization_id as "organizationId"`. */
  readonly columns: Fragment;
  /** Returns the identity to which the secret of a row is sealed ({@link Sealer}). */
  identityOf(row: Row): string;
}

export interface Resealed {
  /** Number of rows whose secret was sealed again. */
  readonly resealed: number;
  /** Number of rows that stay unchanged, because none of the keys opens their secret. */
  readonly unreadable: number;
}

export interface ResealedBatch extends Resealed {
  /** Id of the last row of the batch; undefined if no row was left. */
  readonly last: number | undefined;
}

/** Maximum number of rows in one transaction. It is small, because other writers may wait for a row. */
const batch = 200;

/**
 * Seals the secrets of a table again with the first of `secrets.encryptionKeys`. Rows are processed by ascending id,
 * in several transactions. After an interruption, the next call continues with the remaining rows.
 * @param transact runs one transaction; an error that it throws ends the call
 */
export async function reseal<Row extends object>(
  transact: (act: (transaction: Transaction) => Promise<ResealedBatch>) => Promise<ResealedBatch>, sealer: Sealer,
  table: SealedTable<Row>,
): Promise<Resealed> {
  const counts = { resealed: 0, unreadable: 0 };
  for (let after: number | undefined = 0; after !== undefined;) {
    const from: number = after;
    const part = await transact((transaction) => resealBatch(transaction, sealer, table, from));
    counts.resealed += part.resealed;
    counts.unreadable += part.unreadable;
    after = part.last;
  }
  return counts;
}

export async function resealAll(
  transact: Parameters<typeof reseal>[0], sealer: Sealer, tables: readonly SealedTable<never>[],
): Promise<Resealed> {
  const counts = { resealed: 0, unreadable: 0 };
  for (const table of tables) {
    const { resealed, unreadable } = await reseal(transact, sealer, table);
    counts.resealed += resealed;
    counts.unreadable += unreadable;
  }
  return counts;
}

async function resealBatch<Row extends object>(
  transaction: Transaction, sealer: Sealer, { table, secret = 'sealed_secret', columns, identityOf }: SealedTable<Row>,
  after: number,
): Promise<ResealedBatch> {
  const [name, column] = [sql.identifier(table), sql.identifier(secret)];
  const rows = await transaction.query(sql<Row & Sealed & { readonly id: number }>`
    select id, sealed_by as "keyId", ${column} as "bytes", ${columns}
      from ${name}
     where sealed_by <> ${sealer.keyId} and id > ${after}
     order by id limit ${batch}
       for no key update`);
  const sealed = rows.flatMap((row) => {
    const bytes = sealAgain(sealer, row, identityOf(row));
    return bytes === undefined ? [] : [{ id: row.id, bytes }];
  });
  if (sealed.length > 0) {
    await transaction.execute(sql`
      update ${name} stored
         set sealed_by = ${sealer.keyId}, ${column} = fresh.bytes
        from unnest(${sealed.map(({ id }) => id)}::bigint[], ${sealed.map(({ bytes }) => bytes)}::bytea[]) fresh (id, bytes)
       where stored.id = fresh.id`);
  }
  return { resealed: sealed.length, unreadable: rows.length - sealed.length, last: rows.at(-1)?.id };
}

/** Seals a secret again with the first key. Returns undefined if none of the keys opens the secret. */
function sealAgain(sealer: Sealer, sealed: Sealed, identity: string): Buffer | undefined {
  try {
    return sealer.seal(sealer.open(sealed, identity), identity).bytes;
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}
