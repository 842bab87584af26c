import { createHash } from 'node:crypto';
import { connect, type Database, type Fragment, sql } from '@platform/postgres';
import type { TestDatabase } from '@platform/testing';

/** Columns that record mere use, so any request may change them. */
const notesOfUse = ['last_used_at', 'last_login_at'];
/** Columns that name the account to which a row belongs. */
const belongsBy = ['organization_id', 'account_id', 'user_id', 'owner_id', 'system_admin_of'];
/** Tables whose ids are ids of accounts. */
const accountTables = ['account', 'organization'];

/** Internal tables of libraries, which may change at any time. Events leave the outbox seconds after their change. */
const bookkeeping = /^_private_|^job_replica$|^followed_(?:source|key)$|^event_outbox$/;

interface Table {
  readonly table: string;
  readonly columns: readonly string[];
  readonly keys: readonly ForeignKey[];
}

/** Columns that refer to columns of another table. */
interface ForeignKey {
  readonly to: string;
  readonly columns: readonly string[];
  readonly named: readonly string[];
}

/**
 * Digests of the rows of a service: `take` returns number and digest of the rows, by table. Two digests are equal if no
 * row was added, removed or changed between them.
 *
 * @param accounts only rows that belong to one of these accounts (organizations, users, hidden system admins), directly
 * or through a foreign key
 */
export async function openRowDigests(testing: TestDatabase, accounts?: readonly number[]) {
  const database = connect({ ...testing, applicationName: 'row digest', maxConnections: 1 });
  const tables = (await readTables(database, testing.schema)).filter(({ table }) => !bookkeeping.test(table));
  const rows = tables.flatMap(({ table }) => {
    const belongs = accounts === undefined ? sql`true` : belongsTo(table, 'row_of', tables, accounts, []);
    return belongs === undefined ? [] : [sql<{ table: string; row: string }>`
      select ${table}::text as "table", (to_jsonb(row_of) - ${notesOfUse}::text[])::text as "row"
        from ${sql.identifier(table)} row_of
       where ${belongs}`];
  });
  return {
    take: async (): Promise<Record<string, string>> => {
      const found = rows.length === 0 ? [] : await database.query(sql<{ table: string; row: string }>`
        ${sql.join(rows, sql` union all `)} order by 1, 2`);
      return Object.fromEntries([...Map.groupBy(found, ({ table }) => table)].map(([table, all]) => {
        const digest = createHash('sha256').update(all.map(({ row }) => row).join('\n')).digest('hex').slice(0, 16);
        return [table, `${all.length} rows, ${digest}`];
      }));
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

/** One digest of the rows of a service. */
export async function rowDigest(testing: TestDatabase): Promise<Record<string, string>> {
  await using digests = await openRowDigests(testing);
  return await digests.take();
}

async function readTables(database: Database, schema: string): Promise<Table[]> {
  return database.query(sql<Table>`
    select t.relname as "table",
           array(select attname from pg_attribute
                  where attrelid = t.oid and attnum > 0 and not attisdropped order by attnum)::text[] as columns,
           coalesce((select jsonb_agg(jsonb_build_object(
                       'to', other.relname,
                       'columns', (select jsonb_agg(a.attname order by k.at)
                                     from unnest(c.conkey) with ordinality k(number, at)
                                     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number),
                       'named', (select jsonb_agg(a.attname order by k.at)
                                   from unnest(c.confkey) with ordinality k(number, at)
                                   join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.number)))
                       from pg_constraint c join pg_class other on other.oid = c.confrelid
                      where c.conrelid = t.oid and c.contype = 'f' and c.confrelid <> t.oid), '[]') as keys
      from pg_class t
     where t.relnamespace = ${schema}::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
     order by 1`);
}

/** Whether a row belongs to an account; undefined if rows of its table belong to no account. */
function belongsTo(
  table: string, row: string, tables: readonly Table[], accounts: readonly number[], path: readonly string[],
): Fragment | undefined {
  const { columns, keys } = tables.find((one) => one.table === table) ?? { columns: [], keys: [] };
  const owning = columns
    .filter((column) => belongsBy.includes(column) || (column === 'id' && accountTables.includes(table)))
    .map((column) => sql`${sql.identifier(row)}.${sql.identifier(column)} = any (${accounts}::bigint[])`);
  if (owning.length > 0) return sql`(${sql.join(owning, sql` or `)})`;
  const through = keys.filter(({ to }) => !path.includes(to)).flatMap(({ to, columns: own, named }) => {
    const alias = `${row}_${to}`.slice(-60);
    const belongs = belongsTo(to, alias, tables, accounts, [...path, table]);
    if (belongs === undefined) return [];
    const joined = own.map((column, index) =>
      sql`${sql.identifier(alias)}.${sql.identifier(named[index]!)} = ${sql.identifier(row)}.${sql.identifier(column)}`);
    return [sql`exists (
      select from ${sql.identifier(to)} ${sql.identifier(alias)} where ${sql.join(joined, sql` and `)} and ${belongs})`];
  });
  return through.length === 0 ? undefined : sql`(${sql.join(through, sql` or `)})`;
}
