import { type Database, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/** Raw events are kept for so many months after the one in which they arrived (open-points 13.3). */
const keptMonths = 6;

/** Makes sure that raw events which arrive on given days have their partitions. */
export type EnsurePartitions = (days: Iterable<Date>, deadline: Deadline) => Promise<void>;

/** Remembers the partitions that are not dropped for long: those of now and later. */
export function createEnsurePartitions(database: Database): EnsurePartitions {
  const there = new Set<string>();
  return async (days, deadline) => {
    const now = monthStarting(new Date());
    for (const month of new Set([...days].map(monthStarting)).difference(there)) {
      // One replica at a time: both would make it.
      await database.transact(async (transaction) => {
        await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended('make_raw_partition', 0))`);
        await transaction.execute(sql`select make_raw_partition(${month}::date)`);
      }, { lockTimeout: 4_000, deadline });
      if (month >= now) there.add(month);
    }
  };
}

function monthStarting(day: Date): string {
  return `${day.toISOString().slice(0, 7)}-01`;
}

/** Drops raw events that are no longer kept. @returns names of the dropped tables */
export async function dropOldRawEvents(database: Database, deadline: Deadline): Promise<string[]> {
  const old = await database.query(sql<{ name: string }>`
    select relname as "name" from pg_inherits join pg_class on pg_class.oid = inhrelid
     where inhparent = 'raw_event'::regclass
       and relname < 'raw_event_' || to_char(
         date_trunc('month', now() at time zone 'UTC') - make_interval(months => ${keptMonths}), 'YYYY_MM')`,
  { deadline });
  for (const { name } of old) await database.execute(sql`drop table ${sql.identifier(name)}`, { deadline });
  return old.map(({ name }) => name);
}
