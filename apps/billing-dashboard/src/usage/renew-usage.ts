import { type Database, sql, type Transaction } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { keepDatabaseReports } from './database-reports.ts';
import { micros, timestamp } from './micros.ts';
import { nowUs } from './month-view.ts';
import { type Due, putObjects, putSegments, readLastEvents, type Renewed } from './put-renewed.ts';
import { placeKey, readTerms } from './read-terms.ts';
import { readLateStatements, readVersions } from './read-versions.ts';
import { joinSegments, monthOf, type Segment, segmentsOf } from './segments.ts';

/** Delay of a renewal after a failure. Views may be at most 60 s behind a change (open-points 7.1, 13.5). */
const postponed = sql`interval '10 seconds'`;

/**
 * Selects the objects that have been due for a time, the longest due first. A postponed object is not due before its
 * `due_since`.
 */
const dueFor = (ms: number) => sql`
  due_from is not null and due_since <= now() - ${ms} * interval '1 millisecond' order by due_since`;

/**
 * Returns the milliseconds until an object is due for renewal: 0 if one is due now, undefined if no object waits for
 * renewal. Also returns 0 if changed terms are noted, because the objects of these terms must then be marked as due.
 * @param settledMs how long an object must have been due, in milliseconds
 */
export async function untilUsageIsDue(
  database: Database, settledMs: number, deadline: Deadline,
): Promise<number | undefined> {
  const { dueInMs } = await database.one(sql<{ dueInMs: number | null }>`
    select case
             when exists (select from changed_terms) then 0
             else (
               select greatest(extract(epoch from due_since - now())::float8 * 1000 + ${settledMs}, 0)
                 from metered_object where due_from is not null order by due_since limit 1
             )
           end as "dueInMs"`,
  { deadline });
  return dueInMs ?? undefined;
}

/**
 * Postpones the renewal of the object that has been due longest, so that other objects are renewed meanwhile. Skips
 * objects that other transactions have locked. Returns the id of the postponed object, or undefined if there is none.
 */
export async function postponeRenewal(database: Database, deadline: Deadline): Promise<number | undefined> {
  const object = await database.maybeOne(sql<{ id: number }>`
    update metered_object set due_since = now() + ${postponed}
     where id = (select id from metered_object where ${dueFor(0)} limit 1 for no key update skip locked)
    returning id`, { deadline });
  return object?.id;
}

/**
 * Renews the usage of due objects, at least from `due_from` on. If an object has very many versions, renews only the
 * first part of its usage. The object then stays due, and its turn comes after the other due objects. The transaction
 * locks the objects that it renews. New events of these objects wait until the transaction ends. Other replicas can
 * renew other objects meanwhile.
 * @param limits the maximum number of objects, and the approximate number of versions, for one transaction;
 *   `settledMs`: how long an object must have been due, in milliseconds
 * @returns whether more objects may be due
 */
export async function renewUsage(
  transaction: Transaction, limits: { readonly objects: number; readonly versions: number; readonly settledMs: number },
): Promise<boolean> {
  const due = await takeDue(transaction, limits);
  if (due.length === 0) return false;
  // At least three versions: the last version before the due time, the version at the due time, and the next version.
  const most = Math.max(3, Math.floor(limits.versions / due.length));
  const bases = await readBases(transaction, due);
  const froms = due.map(({ id }) => ({ id, from: bases.get(id) ?? null }));
  const versions = await readVersions(transaction, froms, most);
  const late = await readLateStatements(transaction, froms);
  const terms = await readTerms(transaction, [...new Map(due.map((one) => [placeKey(one), one])).values()]);
  const begins = due.map((object) => {
    // Start at the last version before the due time, but not before the month of the due time, because segments end
    // with their month.
    const from = object.dueUs === null
      ? Number.MIN_SAFE_INTEGER
      : Math.max(bases.get(object.id) ?? Number.MIN_SAFE_INTEGER, monthOf(object.dueUs));
    const own = versions.get(object.id) ?? [];
    // If `most` versions were read, there may be more. The end of the last one is then unknown, so stop before it.
    const nextUs = own.length < most ? null : own.at(-1)!.at;
    return { object, from, nextUs, own };
  });
  const earlier = await readSegmentsBefore(transaction, begins.map(({ object: { id }, from }) => ({ id, us: from })));
  const later = await readSegmentsBefore(transaction, begins.flatMap(({ object: { id }, nextUs }) =>
    (nextUs === null ? [] : [{ id, us: nextUs }])));
  const now = nowUs();
  const renewed = begins.map(({ object, from, nextUs, own }): Renewed => {
    const to = nextUs ?? Number.MAX_SAFE_INTEGER;
    const segments = segmentsOf(own, late.get(object.id) ?? [], object.firstUs, terms.get(placeKey(object))!)
      .filter((segment) => from <= segment.from && segment.from < to);
    // Include the previous segment if it reaches `from`, because the first renewed segment may continue it.
    const before = earlier.get(object.id);
    if (before !== undefined && before.to >= from) {
      segments.unshift({ ...before, to: from, eventAt: Math.min(before.eventAt, from) });
    }
    const joined = joinSegments(segments, now);
    // Keep the part of an old segment that lies after the renewed period.
    const rest = later.get(object.id);
    if (rest !== undefined && rest.to > to) joined.push({ ...rest, from: to });
    return { object, from: Math.min(from, joined[0]?.from ?? from), to, segments: joined, nextUs };
  });
  await putSegments(transaction, renewed);
  await putObjects(transaction, renewed, await readLastEvents(transaction, due), limits.settledMs);
  await keepDatabaseReports(transaction, due.map(({ id }) => id));
  return due.length === limits.objects || renewed.some(({ nextUs }) => nextUs !== null);
}

function takeDue(
  transaction: Transaction, { objects, settledMs }: { readonly objects: number; readonly settledMs: number },
): Promise<Due[]> {
  return transaction.query(sql<Due>`
    select id, owner_id as "ownerId", cluster_uid as "clusterUid", product, ${micros(sql`first_at`)} as "firstUs",
           case when isfinite(due_from) then ${micros(sql`due_from`)} end as "dueUs"
      from metered_object where ${dueFor(settledMs)} limit ${objects} for no key update skip locked`);
}

/**
 * Reads the time of the last version before the due time of each object. An object without such a version is absent. A
 * separate statement is needed, because the statement that locks the objects does not see what other transactions
 * commit while it runs.
 */
async function readBases(transaction: Transaction, due: readonly Due[]): Promise<ReadonlyMap<number, number>> {
  const rows = await transaction.query(sql<{ id: number; us: number }>`
    select given.id, ${micros(sql`base.at`)} as "us"
      from unnest(
        ${due.map(({ id }) => id)}::bigint[], ${due.map(({ dueUs }) => dueUs)}::bigint[]
      ) as given (id, us)
     cross join lateral (
       select at from object_version
        where metered_id = given.id and at < ${timestamp(sql`given.us`)} order by at desc limit 1
     ) base`);
  return new Map(rows.map(({ id, us }) => [id, us]));
}

/** Reads, for each object, the last segment that begins before the given time. The segment may end after that time. */
async function readSegmentsBefore(
  transaction: Transaction, moments: readonly { readonly id: number; readonly us: number }[],
): Promise<ReadonlyMap<number, Segment>> {
  if (moments.length === 0) return new Map();
  const rows = await transaction.query(sql<Omit<Segment, 'cpu' | 'memory'> & { id: number; cpu: string; memory: string }>`
    select given.id, segment.*
      from unnest(
        ${moments.map(({ id }) => id)}::bigint[], ${moments.map(({ us }) => us)}::bigint[]
      ) as given (id, us)
     cross join lateral (
       select from_us as "from", to_us as "to", coalesce(event_us, from_us) as "eventAt", cpu, memory,
              contract_id as "contractId", class, mode
         from usage_segment where metered_id = given.id and from_us < given.us order by from_us desc limit 1
     ) segment`);
  return new Map(rows.map(({ id, ...row }) => [id, { ...row, cpu: BigInt(row.cpu), memory: BigInt(row.memory) }]));
}
