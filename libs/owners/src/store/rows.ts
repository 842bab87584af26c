import { type Fragment, type Queryable, type QueryOptions, sql } from '@platform/postgres';
import type { ObjectOwner } from '@platform/rpc';
import type { NewRow, OwnedRow, OwnedTable, TextColumn } from '../owned-table.ts';

/** Returns the owner of each row that exists, by the id of the row (authorization.md R2). */
export async function findOwners(
  database: Queryable, { type }: Pick<OwnedTable<never>, 'type'>, ids: readonly number[], options: QueryOptions,
): Promise<Map<number, ObjectOwner>> {
  if (ids.length === 0) return new Map();
  const rows = await database.query<{ id: number; ownerId: number }>(
    sql`select id, owner_id as "ownerId" from ${sql.identifier(type)} where id = any(${ids}::bigint[])`, options,
  );
  return new Map(rows.map(({ id, ownerId }) => [id, { ownerId }]));
}

/** Counts the rows that prevent the deletion of an account. */
export async function countOfOwner(
  database: Queryable, { type, holding = sql`true` }: Pick<OwnedTable<never>, 'type' | 'holding'>, ownerId: number,
): Promise<number> {
  const { held } = await database.one<{ held: number }>(
    sql`select count(*) as held from ${sql.identifier(type)} where owner_id = ${ownerId} and ${holding}`,
  );
  return held;
}

/** Adds the rows that are not in the table yet. @throws CheckViolation of `ownerOpenConstraint`, UniqueViolation */
export async function addMissing<TextName extends string>(
  database: Queryable, table: OwnedTable<TextName>, rows: readonly NewRow<TextName>[],
): Promise<void> {
  const { name, key, texts } = identifiers(table);
  const columns = [key, ...texts.map(({ column }) => column)];
  // Exclude stored rows before the insert, because each conflict would use up an id. Insert in the order of the keys,
  // because two such statements could otherwise deadlock.
  await database.execute(sql`
    insert into ${name} (owner_id, ${sql.join(columns)})
    select g.owner_id, ${sql.join(columns.map((column) => sql`g.${column}`))}
      from ${given(table, rows)}
     where not exists (select from ${name} as known where ${sameRow(table)})
     order by g.${key}, g.owner_id
        on conflict (${table.key.perOwner ? sql`owner_id, ${key}` : key}) do nothing`);
}

/** Returns the stored rows with the keys of the given rows ({@link sameRow}). Locks them until the transaction ends. */
export function lockKnown<TextName extends string>(
  database: Queryable, table: OwnedTable<TextName>, rows: readonly NewRow<TextName>[],
): Promise<OwnedRow<TextName>[]> {
  const { name, key } = identifiers(table);
  return database.query<OwnedRow<TextName>>(sql`
    select ${columnsOf(table)} from ${name} as known
     where exists (select from ${given(table, rows)} where ${sameRow(table)})
     order by ${key}, owner_id for no key update of known`);
}

/** Returns the stored rows that have the same owner and name as a given row. The table needs the column `name`. */
export function withSameNames<TextName extends string>(
  database: Queryable, table: OwnedTable<TextName>, rows: readonly NewRow<TextName>[], options: QueryOptions,
): Promise<OwnedRow<TextName>[]> {
  const { name } = identifiers(table);
  return database.query<OwnedRow<TextName>>(sql`
    select ${columnsOf(table)} from ${name} as known
     where exists (select from ${given(table, rows)} where known.owner_id = g.owner_id and known.name = g.name)`, options);
}

/** Updates the texts of rows. The caller must hold the locks of the rows (see {@link lockKnown}). */
export async function rewrite<TextName extends string>(
  database: Queryable, table: OwnedTable<TextName>, rows: readonly NewRow<TextName>[],
): Promise<void> {
  const { name, texts } = identifiers(table);
  await database.execute(sql`
    update ${name} as known set ${sql.join(texts.map(({ column }) => sql`${column} = g.${column}`))}
      from ${given(table, rows)}
     where ${sameRow(table)}`);
}

/**
 * Moves a row to another owner. Returns undefined if there is no such row.
 * @throws CheckViolation of `ownerOpenConstraint`, UniqueViolation
 */
export function move<TextName extends string>(
  database: Queryable, table: OwnedTable<TextName>, { id, ownerId }: Readonly<Record<'id' | 'ownerId', number>>,
  options: QueryOptions,
): Promise<OwnedRow<TextName> | undefined> {
  const { name } = identifiers(table);
  return database.maybeOne<OwnedRow<TextName>>(
    sql`update ${name} set owner_id = ${ownerId} where id = ${id} returning ${columnsOf(table)}`, options,
  );
}

function identifiers<TextName extends string>({ type, key, texts }: OwnedTable<TextName>) {
  return {
    name: sql.identifier(type),
    key: sql.identifier(key.column),
    texts: Object.entries<TextColumn>(texts).map(([field, { column }]) =>
      ({ field: field as TextName, alias: sql.identifier(field), column: sql.identifier(column) })),
  };
}

function columnsOf<TextName extends string>(table: OwnedTable<TextName>): Fragment {
  const { key, texts } = identifiers(table);
  const named = texts.map(({ column, alias }) => sql`${column} as ${alias}`);
  return sql`id, ${key} as "key", owner_id as "ownerId", created_at as "createdAt", ${sql.join(named)}`;
}

/**
 * SQL condition: the row `known` of the table has the same key as the row `g` of the request. If keys are unique only
 * per owner, the rows also have the same owner.
 */
function sameRow<TextName extends string>(table: OwnedTable<TextName>): Fragment {
  const { key } = identifiers(table);
  return table.key.perOwner
    ? sql`known.owner_id = g.owner_id and known.${key} = g.${key}` : sql`known.${key} = g.${key}`;
}

/** The rows of the request as a table `g`. */
function given<TextName extends string>(table: OwnedTable<TextName>, rows: readonly NewRow<TextName>[]): Fragment {
  const { key, texts } = identifiers(table);
  const values = texts.map(({ field }) => sql`${rows.map((row) => row[field])}::text[]`);
  const columns = sql.join(texts.map(({ column }) => column));
  return sql`unnest(
    ${rows.map((row) => row.key)}::uuid[], ${rows.map(({ ownerId }) => ownerId)}::bigint[], ${sql.join(values)}
  ) as g (${key}, owner_id, ${columns})`;
}
