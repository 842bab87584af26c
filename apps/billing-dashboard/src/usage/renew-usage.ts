import { type Database, sql, type Transaction } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { joinSegments, monthOf, type Segment, segmentsOf } from './segments.ts';
import type { Detail } from '../payload/metered.ts';
import { micros, timestamp } from './micros.ts';
import { type Place, placeKey, readTerms } from './read-terms.ts';
import { lastOfMoment, readLateStatements, readVersions } from './read-versions.ts';

/** An object whose usage is to be renewed. */
interface Due extends Place {
  readonly id: number;
  readonly firstUs: number;
  /** From here on; null: all of it. */
  readonly dueUs: number | null;
}

/** After a failure an object waits for so long. Views may be 60 s behind a change (open-points 7.1, 13.5). */
const postponed = sql`interval '10 seconds'`;
/** What is due, the longest first. A postponed object is due in the future; others renew what they have locked. */
const nextDue = sql`due_from is not null and due_since <= now() order by due_since`;

/**
 * Lets the object that is next wait for some seconds, so that others are renewed meanwhile.
 * @returns its id; undefined: none is due
 */
export async function postponeRenewal(database: Database, deadline: Deadline): Promise<number | undefined> {
  const object = await database.maybeOne(sql<{ id: number }>`
    update metered_object set due_since = now() + ${postponed}
     where id = (select id from metered_object where ${nextDue} limit 1 for no key update skip locked)
    returning id`, { deadline });
  return object?.id;
}

/** What is renewed in one transaction. */
export interface RenewalLimits {
  readonly objects: number;
  /** Of all objects together. */
  readonly versions: number;
}

/**
 * Renews the segments of objects from what is due on. Of an object with very many versions it renews a part: the rest
 * stays due, behind the others. Other replicas renew other objects at the same time; events of an object wait until the
 * transaction is over.
 * @returns whether more may be due
 */
export async function renewUsage(transaction: Transaction, limits: RenewalLimits): Promise<boolean> {
  const due = await takeDue(transaction, limits.objects);
  if (due.length === 0) return false;
  // Three make progress: the version in force before the due one, the due one, and the one that ends it.
  const most = Math.max(3, Math.floor(limits.versions / due.length));
  const bases = await readBases(transaction, due);
  const froms = due.map(({ id }) => ({ id, from: bases.get(id) ?? null }));
  const versions = await readVersions(transaction, froms, most);
  const late = await readLateStatements(transaction, froms);
  const terms = await readTerms(transaction, [...new Map(due.map((one) => [placeKey(one), one])).values()]);
  const begins = due.map((object) => {
    // A version begins with a segment or goes on with one, and a month begins with one: earlier segments stay.
    const from = object.dueUs === null
      ? Number.MIN_SAFE_INTEGER
      : Math.max(bases.get(object.id) ?? Number.MIN_SAFE_INTEGER, monthOf(object.dueUs));
    const own = versions.get(object.id) ?? [];
    // What ends the last version of a part is not known yet.
    const nextUs = own.length < most ? null : own.at(-1)!.at;
    return { object, from, nextUs, own };
  });
  const earlier = await readSegmentsBefore(transaction, begins.map(({ object: { id }, from }) => ({ id, us: from })));
  const later = await readSegmentsBefore(transaction, begins.flatMap(({ object: { id }, nextUs }) =>
    (nextUs === null ? [] : [{ id, us: nextUs }])));
  // Views are up to whole seconds.
  const now = Math.floor(Date.now() / 1000) * 1_000_000;
  const renewed = begins.map(({ object, from, nextUs, own }): Renewed => {
    const to = nextUs ?? Number.MAX_SAFE_INTEGER;
    const segments = segmentsOf(own, late.get(object.id) ?? [], object.firstUs, terms.get(placeKey(object))!)
      .filter((segment) => from <= segment.from && segment.from < to);
    // The segment before goes on, or ends here.
    const before = earlier.get(object.id);
    if (before !== undefined && before.to >= from) {
      segments.unshift({ ...before, to: from, eventAt: Math.min(before.eventAt, from) });
    }
    const joined = joinSegments(segments, now);
    // What is not renewed yet of a segment stays as it is.
    const rest = later.get(object.id);
    if (rest !== undefined && rest.to > to) joined.push({ ...rest, from: to });
    return { object, from: Math.min(from, joined[0]?.from ?? from), to, segments: joined, nextUs };
  });
  await putSegments(transaction, renewed);
  await putObjects(transaction, renewed, await readLastEvents(transaction, due));
  return due.length === limits.objects || renewed.some(({ nextUs }) => nextUs !== null);
}

function takeDue(transaction: Transaction, limit: number): Promise<Due[]> {
  return transaction.query(sql<Due>`
    select id, owner_id as "ownerId", cluster_uid as "clusterUid", product, ${micros(sql`first_at`)} as "firstUs",
           case when isfinite(due_from) then ${micros(sql`due_from`)} end as "dueUs"
      from metered_object where ${nextDue} limit ${limit} for no key update skip locked`);
}

/**
 * When the version began that was in force just before an object is due; none of an object that has no such version.
 * A statement of its own, after the lock: the one that locks an object may not see yet what was committed before it.
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

/** The last segment of each object that begins before a moment; it may reach behind it. */
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

interface Renewed {
  readonly object: Due;
  /** What is renewed: from here to before there. */
  readonly from: number;
  readonly to: number;
  readonly segments: readonly Segment[];
  /** From here on the object is still due; null: it is up to date. */
  readonly nextUs: number | null;
}

async function putSegments(transaction: Transaction, renewed: readonly Renewed[]): Promise<void> {
  const rows = renewed.flatMap(({ object, segments }) => segments.map((segment) => ({
    metered_id: object.id,
    from_us: segment.from,
    to_us: segment.to,
    month: new Date(segment.from / 1000).toISOString().slice(0, 7) + '-01',
    owner_id: object.ownerId,
    product: object.product,
    cpu: segment.cpu.toString(),
    memory: segment.memory.toString(),
    contract_id: segment.contractId,
    class: segment.class,
    mode: segment.mode,
    event_us: segment.eventAt,
  })));
  const given = sql`
    jsonb_to_recordset(${sql.json(rows)}::jsonb) as given (
      metered_id bigint, from_us bigint, to_us bigint, month date, owner_id bigint, product text, cpu numeric,
      memory numeric, contract_id bigint, class text, mode text, event_us bigint
    )`;
  // Triggers would sum up after each of these statements.
  await transaction.query(sql`select set_config('usage.summed_by', 'writer', true)`);
  const ids = sql`${renewed.map(({ object }) => object.id)}::bigint[]`;
  const removed = await transaction.query(sql<ObjectMonth>`
    delete from usage_segment old
     using unnest(
       ${ids}, ${renewed.map(({ from }) => from)}::bigint[], ${renewed.map(({ to }) => to)}::bigint[]
     ) as part (metered_id, from_us, to_us)
     where old.metered_id = any (${ids}) and old.metered_id = part.metered_id
       and old.from_us >= part.from_us and old.from_us < part.to_us
       and (old.metered_id, old.from_us) not in (select metered_id, from_us from ${given})
    returning old.metered_id as "meteredId", to_char(old.month, 'YYYY-MM-DD') as "month"`);
  const put = await transaction.query(sql<ObjectMonth>`
    insert into usage_segment as old (
      metered_id, from_us, to_us, month, owner_id, product, cpu, memory, contract_id, class, mode,
      event_us
    )
    select * from ${given}
        on conflict (metered_id, from_us) do update
       set to_us = excluded.to_us, cpu = excluded.cpu, memory = excluded.memory, contract_id = excluded.contract_id,
           class = excluded.class, mode = excluded.mode, event_us = excluded.event_us
     where (old.to_us, old.cpu, old.memory, old.contract_id, old.class, old.mode, old.event_us)
        is distinct from (excluded.to_us, excluded.cpu, excluded.memory, excluded.contract_id, excluded.class,
                          excluded.mode, excluded.event_us)
    returning metered_id as "meteredId", to_char(month, 'YYYY-MM-DD') as "month"`);
  const changed = new Map([...removed, ...put].map((one) => [`${one.meteredId} ${one.month}`, one]));
  await transaction.query(sql`
    select renew_usage_months(
      ${[...changed.values()].map(({ meteredId }) => meteredId)}::bigint[],
      ${[...changed.values()].map(({ month }) => month)}::date[]
    )`);
}

interface ObjectMonth {
  readonly meteredId: number;
  /** First day. */
  readonly month: string;
}

/** The latest event of an object. */
interface LastEvent {
  readonly type: 'created' | 'updated' | 'deleted';
  readonly at: number;
  readonly detail: Omit<Detail, 'pods' | 'volumes' | 'namespaceMetadata'>;
}

/** Earlier events, of which there may be thousands, are not read, nor what may be large. */
async function readLastEvents(transaction: Transaction, due: readonly Due[]): Promise<ReadonlyMap<number, LastEvent>> {
  const rows = await transaction.query(sql<LastEvent & { id: number }>`
    select given.id, last.type, ${micros(sql`last.at`)} as "at",
           last.detail - '{pods,volumes,namespaceMetadata}'::text[] as "detail"
      from unnest(${due.map(({ id }) => id)}::bigint[]) as given (id)
     cross join lateral (
       select version.type, version.at, version.detail from object_version version
        where version.metered_id = given.id order by version.at desc, ${lastOfMoment} limit 1
     ) last`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Notes what the latest event says of each object, and what is still due. */
async function putObjects(
  transaction: Transaction, renewed: readonly Renewed[], lastEvents: ReadonlyMap<number, LastEvent>,
): Promise<void> {
  const rows = renewed.map(({ object, nextUs }) => {
    const { type, at, detail } = lastEvents.get(object.id)!;
    return {
      id: object.id,
      due_us: nextUs,
      api_group: detail.group,
      kind: detail.kind,
      name: detail.name,
      namespace: detail.namespace,
      namespace_uid: detail.namespaceUid,
      client_org_id: detail.clientOrgId,
      created_us: createdUs(detail.createdAt) ?? object.firstUs,
      deleted_us: type === 'deleted' ? at : null,
    };
  });
  await transaction.execute(sql`
    update metered_object object
       set due_from = ${timestamp(sql`due_us`)}, due_since = case when due_us is not null then now() end,
           api_group = given.api_group, kind = given.kind, name = given.name,
           namespace = given.namespace, namespace_uid = given.namespace_uid, client_org_id = given.client_org_id,
           created_at = ${timestamp(sql`created_us`)},
           deleted_at = ${timestamp(sql`deleted_us`)}
      from jsonb_to_recordset(${sql.json(rows)}::jsonb) as given (
        id bigint, due_us bigint, api_group text, kind text, name text, namespace text, namespace_uid text,
        client_org_id text, created_us bigint, deleted_us bigint
      )
     where object.id = given.id`);
}

/** When an object says that it was created, where it is a time that there can be: members may send anything. */
function createdUs(createdAt: string): number | undefined {
  const milliseconds = Date.parse(createdAt);
  return milliseconds >= 0 && milliseconds <= Date.now() ? milliseconds * 1000 : undefined;
}
