import { type Database, sql } from '@platform/postgres';
import type { LostKey, OpenService, Sealer } from '@platform/service';

/** Lets `platform doctor` find lost keys: keys that sealed stored secrets, but are missing from the settings. */
export function reportLostKeys({ report }: Pick<OpenService, 'report'>, database: Database, { keyIds }: Sealer): void {
  report.lostKeys = async (deadline) => {
    const tables = await database.query(
      sql<{ name: string }>`
        select c.relname as "name"
          from pg_class c join pg_attribute a on a.attrelid = c.oid
         where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
           and a.attname = 'sealed_by' and not a.attisdropped
         order by 1`,
      { deadline },
    );
    if (tables.length === 0) return [];
    const lost = tables.map(({ name }) => sql`
      select ${name}::text as "table", sealed_by as "keyId", count(*) as "secrets"
        from ${sql.identifier(name)}
       where sealed_by <> all (${keyIds}::text[])
       group by 2`);
    return database.query(sql<LostKey>`${sql.join(lost, sql` union all `)} order by 1, 2`, { deadline });
  };
}
