import { type Statement, sql, type Transaction } from '@platform/postgres';
import { type Copies, meteredKey, objectKey } from './arrived-event.ts';
import { micros, timestamp } from '../usage/micros.ts';

export interface LockedObject {
  readonly id: number;
  /** Latest time of the object's events that arrived in time, in microseconds; -Infinity if there are none. */
  readonly provenAt: number;
}

/** The objects of a batch, which are locked. */
export interface ReportedObjects {
  /** Ids by {@link objectKey}. */
  readonly ids: ReadonlyMap<string, number>;
  /** Number of the latest version, by id. */
  readonly versions: Map<number, number>;
}

/** Adds new objects, and locks all objects of a batch. */
export async function lockObjects(transaction: Transaction, copies: readonly Copies[]): Promise<ReportedObjects> {
  const byKey = new Map(copies.map(({ event }) => [objectKey(event), event]));
  const keys = [...byKey].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([key, event], place) => ({
    place, key, owner_id: event.member.ownerId, cluster_uid: event.member.clusterUid,
    product_name: event.member.productName, api_group: event.group, resource: event.resource, subject: event.subject,
  }));
  const given = (some: typeof keys) => sql`
    jsonb_to_recordset(${sql.json(some)}::jsonb) as given (
      place integer, key text, owner_id bigint, cluster_uid uuid, product_name text, api_group text, resource text,
      subject text
    )`;
  const ids = await findOrAdd(transaction, keys, (some) => sql`
    select given.key, known.id
      from ${given(some)}
     cross join lateral (
       select id from reported_object known
        where (known.owner_id, known.cluster_uid, known.product_name, known.api_group, known.resource, known.subject)
            = (given.owner_id, given.cluster_uid, given.product_name, given.api_group, given.resource, given.subject)
        limit 1
     ) known`, (some) => sql`
    insert into reported_object (owner_id, cluster_uid, product_name, api_group, resource, subject)
    select owner_id, cluster_uid, product_name, api_group, resource, subject from ${given(some)} order by place
        on conflict on constraint reported_object_once do nothing`);
  const rows = await transaction.query(sql<{ id: number; versions: number }>`
    select id, versions from reported_object where id = any (${[...ids.values()]}::bigint[])
     order by id for no key update`);
  return { ids, versions: new Map(rows.map(({ id, versions }) => [id, versions])) };
}

/** Adds and locks metered objects. Call it after {@link lockObjects}, so that all transactions lock in one order. */
export async function lockMetered(
  transaction: Transaction, copies: readonly Copies[],
): Promise<ReadonlyMap<string, LockedObject>> {
  const first = new Map<string, { event: Copies['event']; time: number }>();
  for (const { event, copies: all } of copies) {
    const key = meteredKey(event);
    if (key === undefined) continue;
    first.set(key, { event, time: Math.min(first.get(key)?.time ?? Infinity, ...all.map(({ time }) => time)) });
  }
  if (first.size === 0) return new Map();
  const keys = [...first].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([key, { event, time }], place) => ({
    place, key, owner_id: event.member.ownerId, cluster_uid: event.member.clusterUid,
    product: event.metered!.product, object_uid: event.metered!.objectUid, first_us: time,
  }));
  const given = (some: typeof keys) => sql`
    jsonb_to_recordset(${sql.json(some)}::jsonb) as given (
      place integer, key text, owner_id bigint, cluster_uid uuid, product text, object_uid text, first_us bigint
    )`;
  const ids = await findOrAdd(transaction, keys, (some) => sql`
    select given.key, known.id
      from ${given(some)}
     cross join lateral (
       select id from metered_object known
        where (known.owner_id, known.cluster_uid, known.product, known.object_uid)
            = (given.owner_id, given.cluster_uid, given.product, given.object_uid)
        limit 1
     ) known`, (some) => sql`
    insert into metered_object (owner_id, cluster_uid, product, object_uid, first_at)
    select owner_id, cluster_uid, product, object_uid, ${timestamp(sql`first_us`)} from ${given(some)} order by place
        on conflict on constraint metered_object_once do nothing`);
  const rows = await transaction.query(sql<{ id: number; provenAt: number | null }>`
    select id, case when isfinite(proven_at) then ${micros(sql`proven_at`)} end as "provenAt"
      from metered_object where id = any (${[...ids.values()]}::bigint[]) order by id for no key update`);
  const provenAt = new Map(rows.map((row) => [row.id, row.provenAt ?? -Infinity]));
  return new Map([...ids].map(([key, id]) => [key, { id, provenAt: provenAt.get(id)! }]));
}

/**
 * Returns the ids of rows by their keys. Adds the rows that are missing.
 * @param find looks up row by row, because a join might read the whole table
 */
async function findOrAdd<Key extends { readonly key: string }>(
  transaction: Transaction, keys: readonly Key[], find: (some: Key[]) => Statement<{ key: string; id: number }>,
  add: (some: Key[]) => Statement,
): Promise<ReadonlyMap<string, number>> {
  const idsOf = async (some: Key[]) => (await transaction.query(find(some))).map(({ key, id }) => [key, id] as const);
  const known = new Map(await idsOf([...keys]));
  const missing = keys.filter(({ key }) => !known.has(key));
  if (missing.length === 0) return known;
  await transaction.execute(add(missing));
  return new Map([...known, ...await idsOf(missing)]);
}
