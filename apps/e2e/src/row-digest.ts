import { createHash } from 'node:crypto';
import { connect, type Database, sql } from '@platform/postgres';
import type { TestDatabase } from '@platform/testing';

/** Columns that note a mere use, and change when anybody asks for anything. */
const notesOfUse = ['last_used_at', 'last_login_at'];
/** Columns that say to which account a row belongs. */
const belongsBy = ['organization_id', 'account_id', 'user_id', 'owner_id', 'system_admin_of'];
/** Tables whose ids are accounts. */
const accountTables = ['account', 'organization'];

/** Tables in which libraries note what they are at: they change while nothing else does. */
const bookkeeping = /^_private_|^job_replica$|^followed_source$/;

interface Column {
  readonly table: string;
  readonly column: string;
}

/**
 * A digest of the rows of all tables of a service, by table: two are equal when no row came, went or changed.
 * @param accounts only rows that belong to one of these accounts (organizations, users, hidden system admins)
 */
export async function rowDigest(testing: TestDatabase, accounts?: readonly number[]): Promise<Record<string, string>> {
  await using database: Database = connect({
    url: testing.url, schema: testing.schema, applicationName: 'row digest', maxConnections: 1,
  });
  const columns = await database.query(sql<Column>`
    select c.table_name as "table", c.column_name as "column"
      from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = ${testing.schema} and t.table_type = 'BASE TABLE'
     order by c.table_name, c.ordinal_position`);
  const digests: [string, string][] = [];
  for (const table of new Set(columns.map((one) => one.table).filter((name) => !bookkeeping.test(name)))) {
    const owning = columns
      .filter((one) => one.table === table)
      .filter(({ column }) => belongsBy.includes(column) || (column === 'id' && accountTables.includes(table)))
      .map(({ column }) => sql`row_of.${sql.identifier(column)} = any (${accounts ?? []}::bigint[])`);
    if (accounts !== undefined && owning.length === 0) continue;
    const rows = await database.query(sql<{ row: string }>`
      select (to_jsonb(row_of) - ${notesOfUse}::text[])::text as "row"
        from ${sql.identifier(table)} row_of
       where ${accounts === undefined ? sql`true` : sql.join(owning, sql` or `)}
       order by 1`);
    const digest = createHash('sha256').update(rows.map(({ row }) => row).join('\n')).digest('hex').slice(0, 16);
    digests.push([table, `${rows.length} rows, ${digest}`]);
  }
  return Object.fromEntries(digests);
}
