import { type Queryable, sql } from '@platform/postgres';
import type { Deadline, QueueState } from '@platform/service';

/** Names of the queues in metrics. Each queue is a set of rows. */
export const queues = ['projection', 'bus-accounts', 'pictures', 'account-deletions'] as const;
type Queue = (typeof queues)[number];

/** Returns the length of each queue, and how long its oldest entry has waited, in seconds; 0 for an empty queue. */
export async function readQueues(queryable: Queryable, deadline: Deadline): Promise<Record<Queue, QueueState>> {
  const rows = await queryable.query(sql<QueueState & { queue: Queue }>`
    select queue, pending, greatest(extract(epoch from clock_timestamp() - oldest), 0)::float8 as "oldestSeconds"
      from (
        select 'projection' as queue, count(*) as pending,
               (select created_at from projection_pending order by id limit 1) as oldest
          from projection_pending
         union all
        select 'bus-accounts', count(*), min(since)
          from (
            select untold_since as since from bus_account where told_revision < revision
             union all
            select created_at from bus_account_removal
          ) waiting
         union all
        select 'pictures', count(*), min(removable_at) from picture_file where removable_at <= now()
         union all
        select 'account-deletions', count(*), min(closing_at) from account where closing_at is not null
      ) queues`, { deadline });
  return Object.fromEntries(rows.map(({ queue, ...state }) => [queue, state])) as Record<Queue, QueueState>;
}
