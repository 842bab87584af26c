import { notFound } from '@platform/faults';
import { type Database, type Fragment, type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { isFinal, type Month, readMonth } from './month.ts';
import { timestamp } from './micros.ts';

/**
 * Returns the generated months, ascending, each as its first day (`2026-11-01`). A month is generated if it begins no
 * later than `until` (microseconds since 1970) and has metered events of the owner (open-points 7.1). The query needs
 * one index lookup for each month of an owner, so many events do not slow it down.
 * @param ownerId undefined for any owner
 */
export async function readGeneratedMonths(
  queryable: Queryable, ownerId: number | undefined, until: number, deadline: Deadline,
): Promise<string[]> {
  const months = await queryable.query(sql<{ month: string }>`
    with recursive event_month (owner_id, month) as (
      select owner.id, (
               select date_trunc('month', min(at), 'UTC') from object_version
                where metered_id is not null and owner_id = owner.id
             )
        from (${ownersOf(ownerId)}) owner
      union all
      select owner_id, (
               select date_trunc('month', min(at), 'UTC') from object_version
                where metered_id is not null and owner_id = event_month.owner_id
                  and at >= (event_month.month at time zone 'UTC' + interval '1 month') at time zone 'UTC'
             )
        from event_month where month is not null
    )
    select distinct to_char(month at time zone 'UTC', 'YYYY-MM-DD') as "month"
      from event_month where month <= ${timestamp(sql`${until}::bigint`)} order by 1`,
  { deadline });
  return months.map(({ month }) => month);
}

/** @throws Fault NOT_FOUND unless {@link readGeneratedMonths} returns the month */
export async function requireGenerated(
  queryable: Queryable, ownerId: number | undefined, { firstDay, from }: Month, until: number, deadline: Deadline,
): Promise<void> {
  if (from > until) throw notFound('nothing was metered');
  const start = sql`(${firstDay}::date::timestamp at time zone 'UTC')`;
  const { found } = await queryable.one(sql<{ found: boolean }>`
    select exists (
      select from (${ownersOf(ownerId)}) owner
       cross join lateral (
         select from object_version
          where metered_id is not null and owner_id = owner.id
            and at >= ${start} and at < ((${firstDay}::date + interval '1 month')::timestamp at time zone 'UTC')
          limit 1
       ) event
    ) as "found"`, { deadline });
  if (!found) throw notFound('nothing was metered');
}

/** Selects the given owner. If none is given, selects all owners with events: those in `product_contact`. */
function ownersOf(ownerId: number | undefined): Fragment {
  return ownerId === undefined
    ? sql`select distinct owner_id as id from product_contact`
    : sql`select ${ownerId}::bigint as id`;
}

/**
 * Adds a month to the table `final_month` if the month has metered events, its usage is final, and the table does not
 * have the month yet. A trigger on the table creates a webhook event for each new row (ADR 0270).
 */
export async function noteFinalMonths(
  database: Database, { deadline }: { readonly deadline: Deadline }, now = new Date(),
): Promise<void> {
  const nowUs = now.getTime() * 1000;
  const months = (await readGeneratedMonths(database, undefined, nowUs, deadline)).filter((firstDay) => {
    const [year = '', month = ''] = firstDay.split('-');
    return isFinal(readMonth({ year, month }), nowUs);
  });
  await database.execute(sql`
    insert into final_month (month) select unnest(${months}::date[]) order by 1 on conflict do nothing`, { deadline });
}
