import { type Database, sql } from '@platform/postgres';
import { until } from '@platform/testing';

/**
 * Begins segments of the write-ahead log of a PostgreSQL until its disk has no room for one: that ends it.
 * @param superuser connected already; a full disk may have no room for what a new connection needs
 */
export async function useUpLog(superuser: Database): Promise<void> {
  const begin = () => superuser.execute(sql`
    select pg_switch_wal(), pg_logical_emit_message(true, 'spec', repeat('x', 1000000))`);
  await until(() => begin().then(() => false, () => true), { within: 60_000, what: 'there is no room for the log' });
}
