import type { Fact } from '@platform/proto/facts/v1/facts';
import { type Database, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/**
 * A follower at this position has read all facts of transactions before the transaction `xid`. Of this transaction, it
 * has read the facts up to `id`.
 */
export interface Position {
  /** Transaction number (PostgreSQL type xid8), as text because a JavaScript number cannot hold every value exactly. */
  readonly xid: string;
  readonly id: number;
}

export const start: Position = { xid: '0', id: 0 };

/** @returns undefined if the text does not have the form `<xid>:<id>` */
export function parsePosition(text: string): Position | undefined {
  const [, xid, id] = /^(\d{1,19}):(\d{1,15})$/.exec(text) ?? [];
  return xid === undefined ? undefined : { xid, id: Number(id) };
}

export function formatPosition({ xid, id }: Position): string {
  return `${xid}:${id}`;
}

/** Whether `position` is before `end`. Both must belong to the same epoch. */
export function isBehind(position: Position, end: Position): boolean {
  const [at, until] = [BigInt(position.xid), BigInt(end.xid)];
  return at < until || (at === until && position.id < end.id);
}

interface FactPage {
  readonly epoch: string;
  /** By ascending position. */
  readonly facts: readonly Fact[];
  /** The position of the last fact. If there are no facts, the position before the oldest transaction under way. */
  readonly position: Position;
  readonly isFull: boolean;
  /** True only if no committed fact of these kinds comes after this page. Always false for a full page. */
  readonly isUpToDate: boolean;
}

interface PageRow {
  readonly epoch: string;
  readonly before: string;
  readonly isWaiting: boolean;
  readonly facts: readonly (Fact & Position)[] | null;
}

/**
 * SQL expression for the epoch. Only positions of the same epoch can be compared. A restore into another server or
 * database changes the epoch. So does a new timeline of PostgreSQL, for example after a failover or a recovery to an
 * earlier time. If only the rows of this schema were restored, the operator must change `fact_feed.epoch`
 * (docs/restore.md).
 */
const epoch = sql`
  md5(concat_ws('/',
    feed.epoch, (pg_control_system()).system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8),
    'fact'::regclass::oid))`;

/**
 * Reads at most `limit` facts of these kinds after a position. Transactions may commit in another order than their
 * numbers. Therefore this function stops before the oldest transaction under way. All earlier transactions have ended,
 * so no fact is missed.
 */
export async function readFacts(
  database: Database, { kinds, after, limit }: { kinds: readonly string[]; after: Position; limit: number },
  deadline: Deadline,
): Promise<FactPage> {
  const row = await database.one(sql<PageRow>`
    with feed as (select epoch, pg_snapshot_xmin(pg_current_snapshot()) as before from fact_feed),
    page as (
      select fact.kind, fact.key, coalesce(fact.value::text, '') as "value", fact.xid::text as "xid", fact.id
        from fact, feed
       where (fact.xid, fact.id) > (${after.xid}::xid8, ${after.id}::bigint)
         and fact.xid < feed.before and fact.kind = any (${kinds})
       order by fact.xid, fact.id
       limit ${limit}
    )
    select ${epoch} as "epoch", feed.before::text as "before",
           exists (select from fact where fact.xid >= feed.before and fact.kind = any (${kinds})) as "isWaiting",
           (select json_agg(page) from page) as "facts"
      from feed`, { deadline });
  const facts = row.facts ?? [];
  const isFull = facts.length === limit;
  const last = facts.at(-1);
  return {
    epoch: row.epoch,
    facts: facts.map(({ kind, key, value }) => ({ kind, key, value })),
    position: last !== undefined ? { xid: last.xid, id: last.id } : { xid: row.before, id: 0 },
    isFull,
    isUpToDate: !isFull && !row.isWaiting,
  };
}

/** Reads the position of the newest fact of any kind; {@link start} if there is no fact. Needs one index look-up. */
export async function readHead(database: Database, deadline: Deadline): Promise<Position> {
  const head = await database.maybeOne(sql<Position>`
    select xid::text as "xid", id from fact order by fact.xid desc, fact.id desc limit 1`, { deadline });
  return head ?? start;
}

/**
 * Whether a follower can continue from its position. The epoch must be the same. The server must have reached the
 * position. All deletions after the position must still be stored.
 */
export async function canResume(
  database: Database, follower: { epoch: string; position: Position }, deadline: Deadline,
): Promise<boolean> {
  const { resumes } = await database.one(sql<{ resumes: boolean }>`
    select ${epoch} = ${follower.epoch}
           and ${follower.position.xid}::xid8 <= pg_snapshot_xmin(pg_current_snapshot())
           and ${follower.position.xid}::xid8 > feed.forgotten as "resumes"
      from fact_feed as feed`, { deadline });
  return resumes;
}

/**
 * Gives the number of this transaction to facts whose transaction number is in the future. A restore from another
 * server can leave such facts. Followers would not receive them before the server passes that number.
 */
export async function renumberFacts(database: Database, deadline: Deadline): Promise<void> {
  await database.execute(sql`
    update fact set xid = pg_current_xact_id() where xid >= pg_snapshot_xmax(pg_current_snapshot())`, { deadline });
}

/** How long deletions are kept for followers that are offline, in days. */
const keepDeletedDays = 30;

/** Deletes the facts of rows that were deleted long ago, at most `limit`. @returns the number of deleted facts */
export async function forgetDeleted(database: Database, limit: number, deadline: Deadline): Promise<number> {
  const { forgotten } = await database.one(sql<{ forgotten: number }>`
    with gone as (
      delete from fact
       where (kind, key) in (
               select kind, key from fact
                where value is null and changed_at < now() - make_interval(days => ${keepDeletedDays})
                order by changed_at limit ${limit} for update skip locked
             )
      returning xid
    ), noted as (
      update fact_feed set forgotten = greatest(forgotten, (select max(xid) from gone)) where exists (select from gone)
    )
    select count(*)::integer as "forgotten" from gone`, { deadline });
  return forgotten;
}
