import { type Fragment, type Queryable, type QueryOptions, sql } from '@platform/postgres';
import type { ObjectOwner } from '@platform/rpc';
import type { NewRow, OwnedRow, OwnedTable, TextColumn } from '../owned-table.ts';

/** Owners of the rows that exist, by id (authorization.md R2). */
export async function findOwners(
  database: Queryable,
  { type }: Pick<OwnedTable<never>, 'type'>,
  ids: readonly number[],
  options: QueryOptions,
): Promise<Map<number, ObjectOwner>> {
  if (ids.length === 0) return new Map();
  const rows = await database.query<{ id: number; ownerId: number }>(
    sql`select id, owner_id as "ownerId" from ${sql.identifier(type)} where id = any(${ids}::bigint[])`,
    options,
  );
  return new Map(rows.map(({ id, ownerId }) => [id, { ownerId }]));
}

/** How many rows keep an account from being deleted. */
export async function countOfOwner(
  database: Queryable,
  { type, holding = sql`true` }: Pick<OwnedTable<never>, 'type' | 'holding'>,
  ownerId: number,
): Promise<number> {
  const { held } = await database.one<{ held: number }>(
    sql`select count(*) as held from ${sql.identifier(type)} where owner_id = ${ownerId} and ${holding}`,
  );
  return held;
}

/**
 * Adds those whose key is not known yet.
 * @throws CheckViolation of `ownerOpenConstraint`
 */
export async function addMissing<TextName extends string>(
  database: Queryable,
  table: OwnedTable<TextName>,
  rows: readonly NewRow<TextName>[],
): Promise<void> {
  const { name, key, texts } = identifiers(table);
  const columns = sql.join([key, ...texts.map(({ column }) => column)]);
  // Known ones are left out beforehand, because each conflict would use up an id. In the order of keys, so that two
  // such statements wait for each other only one way round.
  await database.execute(sql`
    insert into ${name} (owner_id, ${columns})
    select g.owner_id, ${sql.join([key, ...texts.map(({ column }) => column)].map((column) => sql`g.${column}`))}
      from ${given(table, rows)}
     where not exists (select from ${name} as known where known.${key} = g.${key})
     order by g.${key}
        on conflict (${key}) do nothing`);
}

/** Locks the rows of these keys until the transaction ends, and answers them; unknown ones are left out. */
export function lockByKey<TextName extends string>(
  database: Queryable,
  table: OwnedTable<TextName>,
  keys: readonly string[],
): Promise<OwnedRow<TextName>[]> {
  const { name, key } = identifiers(table);
  return database.query<OwnedRow<TextName>>(
    sql`select ${columnsOf(table)} from ${name} where ${key} = any(${keys}::uuid[]) order by ${key} for no key update`,
  );
}

/** Gives rows the texts that they do not have yet. Their locks must be held (see {@link lockByKey}). */
export async function rewrite<TextName extends string>(
  database: Queryable,
  table: OwnedTable<TextName>,
  rows: readonly NewRow<TextName>[],
): Promise<void> {
  const { name, key, texts } = identifiers(table);
  await database.execute(sql`
    update ${name} as known set ${sql.join(texts.map(({ column }) => sql`${column} = g.${column}`))}
      from ${given(table, rows)}
     where known.${key} = g.${key}`);
}

/**
 * Gives a row to another owner, and answers it; undefined when there is none.
 * @throws CheckViolation of `ownerOpenConstraint`
 */
export function move<TextName extends string>(
  database: Queryable,
  table: OwnedTable<TextName>,
  { id, ownerId }: { readonly id: number; readonly ownerId: number },
  options: QueryOptions,
): Promise<OwnedRow<TextName> | undefined> {
  const { name } = identifiers(table);
  return database.maybeOne<OwnedRow<TextName>>(
    sql`update ${name} set owner_id = ${ownerId} where id = ${id} returning ${columnsOf(table)}`,
    options,
  );
}

/** Deletes a row; false when there is none. */
export async function remove(
  database: Queryable,
  { type }: Pick<OwnedTable<never>, 'type'>,
  id: number,
  options: QueryOptions,
): Promise<boolean> {
  return (await database.execute(sql`delete from ${sql.identifier(type)} where id = ${id}`, options)) === 1;
}

function identifiers<TextName extends string>({ type, key, texts }: OwnedTable<TextName>) {
  return {
    name: sql.identifier(type),
    key: sql.identifier(key.column),
    texts: Object.entries<TextColumn>(texts).map(([field, { column }]) => ({
      field: field as TextName,
      alias: sql.identifier(field),
      column: sql.identifier(column),
    })),
  };
}

function columnsOf<TextName extends string>(table: OwnedTable<TextName>): Fragment {
  const { key, texts } = identifiers(table);
  const named = texts.map(({ column, alias }) => sql`${column} as ${alias}`);
  return sql`id, ${key} as "key", owner_id as "ownerId", created_at as "createdAt", ${sql.join(named)}`;
}

/** The rows given as a table `g`. */
function given<TextName extends string>(table: OwnedTable<TextName>, rows: readonly NewRow<TextName>[]): Fragment {
  const { key, texts } = identifiers(table);
  const values = texts.map(({ field }) => sql`${rows.map((row) => row[field])}::text[]`);
  const columns = sql.join(texts.map(({ column }) => column));
  return sql`unnest(
    ${rows.map((row) => row.key)}::uuid[], ${rows.map(({ ownerId }) => ownerId)}::bigint[], ${sql.join(values)}
  ) as g (${key}, owner_id, ${columns})`;
}
