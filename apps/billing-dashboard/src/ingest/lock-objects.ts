import { sql, type Transaction } from '@platform/postgres';
import { type Copies, meteredKey, objectKey } from './arrived-event.ts';
import { micros, timestamp } from '../usage/micros.ts';

export interface LockedObject {
  readonly id: number;
  /** Latest time of the object's timely events, in microseconds since 1970; -Infinity if there are none. */
  readonly provenAt: number;
}

/** Adds new objects, and locks all objects of a batch. @returns the ids by {@link objectKey} */
export async function lockObjects(transaction: Transaction, copies: readonly Copies[]): Promise<Map<string, number>> {
  const byKey = new Map(copies.map(({ event }) => [objectKey(event), event]));
  const keys = [...byKey].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([key, event], place) => ({
    place, key, owner_id: event.member.ownerId, cluster_uid: event.member.clusterUid,
    product_name: event.member.productName, api_group: event.group, resource: event.resource, subject: event.subject,
  }));
  const given = sql`
    jsonb_to_recordset(${sql.json(keys)}::jsonb) as given (
      place integer, key text, owner_id bigint, cluster_uid uuid, product_name text, api_group text, resource text,
      subject text
    )`;
  await transaction.execute(sql`
    insert into reported_object (owner_id, cluster_uid, product_name, api_group, resource, subject)
    select owner_id, cluster_uid, product_name, api_group, resource, subject from ${given}
     where not exists (
       select from reported_object known
        where (known.owner_id, known.cluster_uid, known.product_name, known.api_group, known.resource, known.subject)
            = (given.owner_id, given.cluster_uid, given.product_name, given.api_group, given.resource, given.subject)
     )
     order by place
        on conflict on constraint reported_object_once do nothing`);
  const rows = await transaction.query(sql<{ key: string; id: number }>`
    select given.key, object.id
      from ${given} join reported_object object
        on (object.owner_id, object.cluster_uid, object.product_name, object.api_group, object.resource, object.subject)
         = (given.owner_id, given.cluster_uid, given.product_name, given.api_group, given.resource, given.subject)
     order by object.id for no key update of object`);
  return new Map(rows.map(({ key, id }) => [key, id]));
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
  const given = sql`
    jsonb_to_recordset(${sql.json(keys)}::jsonb) as given (
      place integer, key text, owner_id bigint, cluster_uid uuid, product text, object_uid text, first_us bigint
    )`;
  await transaction.execute(sql`
    insert into metered_object (owner_id, cluster_uid, product, object_uid, first_at)
    select owner_id, cluster_uid, product, object_uid, ${timestamp(sql`first_us`)} from ${given}
     where not exists (
       select from metered_object known
        where (known.owner_id, known.cluster_uid, known.product, known.object_uid)
            = (given.owner_id, given.cluster_uid, given.product, given.object_uid)
     )
     order by place
        on conflict on constraint metered_object_once do nothing`);
  const rows = await transaction.query(sql<{ key: string; id: number; provenAt: number | null }>`
    select given.key, object.id,
           case when isfinite(object.proven_at) then ${micros(sql`object.proven_at`)} end as "provenAt"
      from ${given} join metered_object object
        on (object.owner_id, object.cluster_uid, object.product, object.object_uid)
         = (given.owner_id, given.cluster_uid, given.product, given.object_uid)
     order by object.id for no key update of object`);
  return new Map(rows.map(({ key, id, provenAt }) => [key, { id, provenAt: provenAt ?? -Infinity }]));
}
