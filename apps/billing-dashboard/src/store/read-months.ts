import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/**
 * First days of the months in which an owner had metered events, ascending; undefined: any owner. Jumps in an index
 * from one month to the next, however many events there are.
 */
export async function readGeneratedMonths(
  queryable: Queryable, ownerId: number | undefined, deadline: Deadline,
): Promise<string[]> {
  const own = ownerId === undefined ? sql`true` : sql`owner_id = ${ownerId}`;
  const months = await queryable.query(sql<{ month: string }>`
    with recursive event_month (month) as (
      select date_trunc('month', min(at), 'UTC') from object_version
       where metered_id is not null and ${own}
      union all
      select (
        select date_trunc('month', min(at), 'UTC') from object_version
         where metered_id is not null and ${own}
           and at >= (event_month.month at time zone 'UTC' + interval '1 month') at time zone 'UTC'
      ) from event_month where month is not null
    )
    select to_char(month at time zone 'UTC', 'YYYY-MM-DD') as "month" from event_month where month is not null`,
  { deadline });
  return months.map(({ month }) => month);
}

/** Whether an owner had a metered event in a month; undefined: any owner. */
export async function isGenerated(
  queryable: Queryable, ownerId: number | undefined, firstDay: string, deadline: Deadline,
): Promise<boolean> {
  const start = sql`(${firstDay}::date::timestamp at time zone 'UTC')`;
  const { found } = await queryable.one(sql<{ found: boolean }>`
    select exists (
      select from object_version
       where metered_id is not null and ${ownerId === undefined ? sql`true` : sql`owner_id = ${ownerId}`}
         and at >= ${start} and at < ((${firstDay}::date + interval '1 month')::timestamp at time zone 'UTC')
    ) as "found"`, { deadline });
  return found;
}
