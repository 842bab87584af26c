import { type Database, sql, type Transaction } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { monthOf, type Segment, segmentsOf } from '../usage/segments.ts';
import type { Detail } from '../ingest/metered.ts';
import { micros, timestamp } from './micros.ts';
import { type Place, placeKey, readTerms } from './read-terms.ts';
import { readVersions, type StoredVersion } from './read-versions.ts';

/** An object whose usage is to be renewed. */
interface Due extends Place {
  readonly id: number;
  readonly firstUs: number;
  /** From here on; null: all of it. */
  readonly dueUs: number | null;
  /** When the version began that was in force just before; null: there is none. */
  readonly baseUs: number | null;
}

/** Lets the object that is due for longest wait until all others are renewed. */
export async function postponeRenewal(database: Database, deadline: Deadline): Promise<void> {
  await database.execute(sql`
    update metered_object set due_since = now()
     where id = (select id from metered_object where due_from is not null order by due_since limit 1)`, { deadline });
}

/**
 * Renews the segments of at most `limit` objects, in one transaction, from what is due on. Other replicas renew other
 * objects at the same time; events of an object wait until it is done.
 * @returns how many were renewed
 */
export function renewUsage(database: Database, limit: number, deadline: Deadline): Promise<number> {
  return database.transact(async (transaction) => {
    const due = await takeDue(transaction, limit);
    if (due.length === 0) return 0;
    const versions = await readVersionsFrom(transaction, due);
    const terms = await readTerms(transaction, [...new Map(due.map((one) => [placeKey(one), one])).values()]);
    const renewed = due.map((object) => {
      // A version begins with a segment, and so does a month: what is before stays as it is.
      const from = object.dueUs === null
        ? Number.MIN_SAFE_INTEGER
        : Math.max(object.baseUs ?? Number.MIN_SAFE_INTEGER, monthOf(object.dueUs));
      const own = versions.get(object.id) ?? [];
      const segments = segmentsOf(own, object.firstUs, terms.get(placeKey(object))!);
      return { object, from, segments: segments.filter((segment) => segment.from >= from), last: own.at(-1) };
    });
    await putSegments(transaction, renewed);
    await putObjects(transaction, renewed, await readLastDetails(transaction, renewed));
    return due.length;
  }, { deadline });
}

function takeDue(transaction: Transaction, limit: number): Promise<Due[]> {
  return transaction.query(sql<Due>`
    with due as (
      select id, owner_id, cluster_uid, product, first_at, due_from from metered_object
       where due_from is not null order by due_since limit ${limit} for no key update skip locked
    )
    select due.id, owner_id as "ownerId", cluster_uid as "clusterUid", product, ${micros(sql`first_at`)} as "firstUs",
           case when isfinite(due_from) then ${micros(sql`due_from`)} end as "dueUs",
           (
             select ${micros(sql`max(at)`)} from object_version where metered_id = due.id and at < due_from
           ) as "baseUs"
      from due`);
}

function readVersionsFrom(transaction: Transaction, due: readonly Due[]): Promise<Map<number, StoredVersion[]>> {
  const given = due.map(({ id, dueUs, baseUs }) => ({ id, base_us: dueUs === null ? null : baseUs }));
  return readVersions(transaction, sql`
    (version.object_id, version.version) in (
      select own.object_id, own.version
        from jsonb_to_recordset(${sql.json(given)}::jsonb) as given (id bigint, base_us bigint)
        join object_version own on own.metered_id = given.id
         and own.at >= coalesce(
           ${timestamp(sql`given.base_us`)}, timestamptz '-infinity'
         )
    )`);
}

interface Renewed {
  readonly object: Due;
  readonly from: number;
  readonly segments: readonly Segment[];
  readonly last: StoredVersion | undefined;
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
  })));
  const given = sql`
    jsonb_to_recordset(${sql.json(rows)}::jsonb) as given (
      metered_id bigint, from_us bigint, to_us bigint, month date, owner_id bigint, product text, cpu numeric,
      memory numeric, contract_id bigint, class text, mode text
    )`;
  await transaction.execute(sql`
    delete from usage_segment old
     using unnest(
       ${renewed.map(({ object }) => object.id)}::bigint[], ${renewed.map(({ from }) => from)}::bigint[]
     ) as since (metered_id, from_us)
     where old.metered_id = since.metered_id and old.from_us >= since.from_us
       and (old.metered_id, old.from_us) not in (select metered_id, from_us from ${given})`);
  await transaction.execute(sql`
    insert into usage_segment as old (
      metered_id, from_us, to_us, month, owner_id, product, cpu, memory, contract_id, class, mode
    )
    select * from ${given}
        on conflict (metered_id, from_us) do update
       set to_us = excluded.to_us, cpu = excluded.cpu, memory = excluded.memory, contract_id = excluded.contract_id,
           class = excluded.class, mode = excluded.mode
     where (old.to_us, old.cpu, old.memory, old.contract_id, old.class, old.mode)
        is distinct from (excluded.to_us, excluded.cpu, excluded.memory, excluded.contract_id, excluded.class,
                          excluded.mode)`);
}

/** What the latest event says of each object. Earlier ones, of which there may be thousands, are not read. */
async function readLastDetails(
  transaction: Transaction, renewed: readonly Renewed[],
): Promise<ReadonlyMap<number, Detail>> {
  const given = renewed.flatMap(({ object, last }) => (last === undefined ? [] : [{
    id: object.id, identity: last.identity, at_us: last.at,
  }]));
  const rows = await transaction.query(sql<{ id: number; detail: Detail }>`
    select given.id, version.detail
      from jsonb_to_recordset(${sql.json(given)}::jsonb) as given (id bigint, identity text, at_us bigint)
      join object_version version on version.metered_id = given.id and version.at = ${timestamp(sql`given.at_us`)}
       and version.identity = decode(given.identity, 'hex')`);
  return new Map(rows.map(({ id, detail }) => [id, detail]));
}

/** Notes what the latest event says of each object, and that nothing is due. */
async function putObjects(
  transaction: Transaction, renewed: readonly Renewed[], details: ReadonlyMap<number, Detail>,
): Promise<void> {
  const rows = renewed.map(({ object, last }) => {
    const detail = details.get(object.id);
    return {
      id: object.id,
      api_group: detail?.group,
      kind: detail?.kind,
      name: detail?.name,
      namespace: detail?.namespace,
      namespace_uid: detail?.namespaceUid,
      client_org_id: detail?.clientOrgId,
      created_us: createdUs(detail) ?? object.firstUs,
      deleted_us: last?.type === 'deleted' ? last.at : null,
    };
  });
  await transaction.execute(sql`
    update metered_object object
       set due_from = null, due_since = null, api_group = given.api_group, kind = given.kind, name = given.name,
           namespace = given.namespace, namespace_uid = given.namespace_uid, client_org_id = given.client_org_id,
           created_at = ${timestamp(sql`created_us`)},
           deleted_at = ${timestamp(sql`deleted_us`)}
      from jsonb_to_recordset(${sql.json(rows)}::jsonb) as given (
        id bigint, api_group text, kind text, name text, namespace text, namespace_uid text, client_org_id text,
        created_us bigint, deleted_us bigint
      )
     where object.id = given.id`);
}

/** What an object says of its creation, where it is a time that there can be: members may send anything. */
function createdUs(detail: Detail | undefined): number | undefined {
  const milliseconds = Date.parse(detail?.createdAt ?? '');
  return milliseconds >= 0 && milliseconds <= Date.now() ? milliseconds * 1000 : undefined;
}
