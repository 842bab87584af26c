import { type Fragment, type Queryable, type QueryOptions, sql } from '@platform/postgres';

/**
 * SQL condition: `closing_at` is more than a minute ago, so the deletion of the account has crashed or is stuck. A time
 * more than a minute ahead also counts, because the clock may have been set back.
 */
const isAbandoned = sql`closing_at not between now() - interval '1 minute' and now() + interval '1 minute'`;

/** SQL expression for a new mark in an update of `account`. The new mark is greater than the stored mark. */
export const nextMark = sql`greatest(closing_mark + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint)`;

/**
 * Begins a deletion of an account, or takes over a deletion that has crashed or is stuck.
 * @returns the mark (number) of the deletion; undefined if another deletion is under way or there is no account
 */
export function takeMark(queryable: Queryable, accountId: number): Promise<number | undefined> {
  return take(queryable, sql`id = ${accountId} and (closing_at is null or ${isAbandoned})`);
}

/** Takes over a deletion that has crashed or is stuck. @returns the new mark; undefined if there is no such deletion */
export function takeAbandonedMark(queryable: Queryable, accountId: number): Promise<number | undefined> {
  return take(queryable, sql`id = ${accountId} and ${isAbandoned}`);
}

export async function findAbandoned(queryable: Queryable): Promise<number[]> {
  const rows = await queryable.query(sql<{ id: number }>`
    select id from account where ${isAbandoned} order by id limit 100`);
  return rows.map(({ id }) => id);
}

/** Whether the deletion with this mark is still under way. Another call may have taken it over or given it up. */
export async function holdsMark(queryable: Queryable, accountId: number, mark: number): Promise<boolean> {
  const row = await queryable.maybeOne(sql<{ id: number }>`
    select id from account where id = ${accountId} and closing_mark = ${mark} and closing_at is not null`);
  return row !== undefined;
}

/** Ends the deletion with this mark: clears `closing_at`. Does nothing if another call has taken over the deletion. */
export async function dropMark(
  queryable: Queryable, accountId: number, mark: number, options?: QueryOptions,
): Promise<void> {
  await queryable.execute(
    sql`update account set closing_at = null where id = ${accountId} and closing_mark = ${mark}`, options,
  );
}

async function take(queryable: Queryable, which: Fragment): Promise<number | undefined> {
  const row = await queryable.maybeOne(sql<{ mark: number }>`
    update account set closing_at = clock_timestamp(), closing_mark = ${nextMark} where ${which}
    returning closing_mark as "mark"`);
  return row?.mark;
}
