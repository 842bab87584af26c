import { sql, type Transaction } from '@platform/postgres';
import { type ArrivedEvent, type Copies, joinCopies, meteredKey, objectKey } from './arrived-event.ts';
import { timestamp } from './micros.ts';
import type { RawEvent, RawEvents, VersionKey } from './raw-events.ts';

/** What an event's copies prove: that the object was so until two hours later (open-points 7.3). */
const seenForUs = 7_200_000_000;

export interface Stored {
  /** Events that were not known before. */
  readonly added: number;
  /** Copies of known ones. */
  readonly repeated: number;
}

/**
 * Stores events, any number of times, in any order: the rows depend only on the set of events, except the numbers of
 * versions, which follow the arrival. Rows are locked in the order of their ids, so batches never wait in a circle.
 * The raw events are prepared for the times of arrival.
 */
export async function storeEvents(
  transaction: Transaction, rawEvents: RawEvents, arrived: readonly ArrivedEvent[],
): Promise<Stored> {
  if (arrived.length === 0) return { added: 0, repeated: 0 };
  const copies = joinCopies(arrived);
  const objectIds = await lockObjects(transaction, copies);
  const meteredIds = await lockMetered(transaction, copies);
  const rows = copies.map((one, place) => versionRow(one, place, objectIds, meteredIds));
  const repeated = new Set(await extendVersions(transaction, rows));
  const fresh = rows.filter(({ place }) => !repeated.has(place));
  await rawEvents.add(transaction, await addVersions(transaction, fresh, copies));
  await putSiteInfos(transaction, copies);
  await noteUsageDue(transaction, rows);
  await noteContacts(transaction, copies);
  return { added: fresh.length, repeated: arrived.length - fresh.length };
}

type Ids = ReadonlyMap<string, number>;

async function lockObjects(transaction: Transaction, copies: readonly Copies[]): Promise<Ids> {
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

async function lockMetered(transaction: Transaction, copies: readonly Copies[]): Promise<Ids> {
  const first = new Map<string, { event: Copies['event']; time: number }>();
  for (const { event, times } of copies) {
    const key = meteredKey(event);
    if (key === undefined) continue;
    first.set(key, { event, time: Math.min(first.get(key)?.time ?? Infinity, ...times.map(({ from }) => from)) });
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
  const rows = await transaction.query(sql<{ key: string; id: number }>`
    select given.key, object.id
      from ${given} join metered_object object
        on (object.owner_id, object.cluster_uid, object.product, object.object_uid)
         = (given.owner_id, given.cluster_uid, given.product, given.object_uid)
     order by object.id for no key update of object`);
  return new Map(rows.map(({ key, id }) => [key, id]));
}

type VersionRow = ReturnType<typeof versionRow>;

function versionRow({ event, times, receivedAt, lastReceivedAt }: Copies, place: number, objects: Ids, metered: Ids) {
  const amounts = event.metered;
  const key = meteredKey(event);
  return {
    place,
    object_id: objects.get(objectKey(event))!,
    identity: event.identity.toString('hex'),
    type: event.type,
    licence_id: event.licenceId,
    generation: event.generation,
    first_us: Math.min(...times.map(({ from }) => from)),
    last_us: Math.max(...times.map(({ until }) => until)),
    seen: `{${times.map(({ from, until }) => `[${moment(from)},${moment(until + seenForUs)})`).join()}}`,
    received_at: receivedAt,
    last_received_at: lastReceivedAt,
    metered_id: key === undefined ? null : metered.get(key)!,
    owner_id: amounts === undefined ? null : event.member.ownerId,
    cpu: amounts?.cpu.toString() ?? null,
    memory: amounts?.memory.toString() ?? null,
    storage: amounts?.storage.toString() ?? null,
    replicas: amounts?.replicas ?? null,
    mode: amounts?.mode ?? null,
    resource_trial: amounts?.resourceTrial ?? null,
    detail: amounts?.detail ?? null,
    spec_uid: amounts === undefined ? event.specUid || null : null,
  };
}

/**
 * Versions are looked up one by one: joined, all of them are read where PostgreSQL takes the table for a small one.
 * @returns the places of rows whose versions are known
 */
async function extendVersions(transaction: Transaction, rows: readonly VersionRow[]): Promise<number[]> {
  const seen = rows.map((row) => ({
    place: row.place, object_id: row.object_id, identity: row.identity, seen: row.seen, received_at: row.received_at,
    last_received_at: row.last_received_at,
  }));
  const known = await transaction.query(sql<{ place: number }>`
    update object_version version
       set seen = version.seen + given.seen,
           received_at = least(version.received_at, given.received_at),
           last_received_at = greatest(version.last_received_at, given.last_received_at)
      from jsonb_to_recordset(${sql.json(seen)}::jsonb) as given (
        place integer, object_id bigint, identity text, seen tstzmultirange, received_at timestamptz,
        last_received_at timestamptz
      )
     cross join lateral (
       select object_id, version from object_version
        where object_id = given.object_id and identity = decode(given.identity, 'hex') limit 1
     ) known
     where (version.object_id, version.version) = (known.object_id, known.version)
    returning given.place`);
  return known.map(({ place }) => place);
}

/** @returns what the new versions say in full */
async function addVersions(
  transaction: Transaction, rows: readonly VersionRow[], copies: readonly Copies[],
): Promise<(VersionKey & RawEvent)[]> {
  if (rows.length === 0) return [];
  const added = await transaction.query(sql<{ identity: Buffer; objectId: number; version: number }>`
    insert into object_version (
      object_id, version, identity, type, licence_id, generation, seen, received_at, last_received_at,
      metered_id, owner_id, cpu, memory, storage, replicas, mode, resource_trial, detail, spec_uid
    )
    select object_id,
           object.versions + row_number() over (partition by object_id order by place),
           decode(identity, 'hex'), type, licence_id, generation, seen, received_at, last_received_at,
           metered_id, given.owner_id, cpu, memory, storage, replicas, mode, resource_trial, detail, spec_uid
      from jsonb_to_recordset(${sql.json(rows)}::jsonb) as given (
             place integer, object_id bigint, identity text, type text, licence_id text, generation bigint,
             seen tstzmultirange, received_at timestamptz, last_received_at timestamptz, metered_id bigint,
             owner_id bigint, cpu numeric, memory numeric, storage numeric, replicas integer, mode text,
             resource_trial boolean, detail jsonb, spec_uid text
           )
      join reported_object object on object.id = object_id
    returning identity, object_id as "objectId", version`);
  await transaction.execute(sql`
    update reported_object object set versions = latest.version
      from (select * from unnest(
        ${[...latestOf(added).keys()]}::bigint[], ${[...latestOf(added).values()]}::integer[]
      ) as latest (object_id, version)) latest
     where object.id = latest.object_id`);
  const places = new Map(rows.map((row) => [`${row.object_id} ${row.identity}`, row]));
  return added.map(({ identity, objectId, version }) => {
    const row = places.get(`${objectId} ${identity.toString('hex')}`)!;
    const { resourceId, object: resource } = copies[row.place]!.event;
    return { objectId, version, receivedAt: row.received_at, resourceId, resource };
  });
}

/** Keeps the latest SiteInfo of each licence, by the time of the event or its repeats. */
async function putSiteInfos(transaction: Transaction, copies: readonly Copies[]): Promise<void> {
  const infos = copies.filter(({ event }) => event.resource === 'siteinfos' && event.object['kind'] === 'SiteInfo');
  if (infos.length === 0) return;
  const given = infos.map(({ event: { member, licenceId, object }, times }) => ({
    owner_id: member.ownerId, cluster_uid: member.clusterUid, licence_id: licenceId, resource: object,
    seen_us: Math.max(...times.map(({ until }) => until)),
  }));
  await transaction.execute(sql`
    insert into site_info as known (owner_id, cluster_uid, licence_id, seen_at, resource)
    select distinct on (owner_id, cluster_uid, licence_id)
           owner_id, cluster_uid, licence_id, ${timestamp(sql`seen_us`)}, resource
      from jsonb_to_recordset(${sql.json(given)}::jsonb) as given (
        owner_id bigint, cluster_uid uuid, licence_id text, seen_us bigint, resource jsonb
      )
     order by owner_id, cluster_uid, licence_id, seen_us desc
        on conflict (owner_id, cluster_uid, licence_id) do update
       set seen_at = excluded.seen_at, resource = excluded.resource where excluded.seen_at > known.seen_at`);
}

function latestOf(added: readonly { objectId: number; version: number }[]): Map<number, number> {
  const latest = new Map<number, number>();
  for (const { objectId, version } of added) latest.set(objectId, Math.max(version, latest.get(objectId) ?? 0));
  return latest;
}

/** Usage from the earliest of the events on is to be renewed: nothing before depends on them. */
async function noteUsageDue(transaction: Transaction, rows: readonly VersionRow[]): Promise<void> {
  const metered = Map.groupBy(rows.filter(({ metered_id: id }) => id !== null), ({ metered_id: id }) => id!);
  if (metered.size === 0) return;
  const due = [...metered].map(([id, own]) => ({
    id, first_us: Math.min(...own.map((row) => row.first_us)), last_us: Math.max(...own.map((row) => row.last_us)),
  }));
  await transaction.execute(sql`
    update metered_object object
       set first_at = least(object.first_at, ${timestamp(sql`first_us`)}),
           last_seen_at = greatest(object.last_seen_at, ${timestamp(sql`last_us`)}),
           due_from = least(object.due_from, ${timestamp(sql`first_us`)}),
           due_since = coalesce(object.due_since, now())
      from jsonb_to_recordset(${sql.json(due)}::jsonb) as due (id bigint, first_us bigint, last_us bigint)
     where object.id = due.id`);
}

async function noteContacts(transaction: Transaction, copies: readonly Copies[]): Promise<void> {
  const contacts = Map.groupBy(copies, ({ event: { member, licenceId } }) =>
    JSON.stringify([member.ownerId, member.clusterUid, licenceId, member.productName]));
  const rows = [...contacts].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, all], place) => {
    const { member, licenceId } = all[0]!.event;
    return {
      place, owner_id: member.ownerId, cluster_uid: member.clusterUid, licence_id: licenceId,
      product_name: member.productName,
      first_received_at: new Date(Math.min(...all.map(({ receivedAt }) => receivedAt.getTime()))),
      last_received_at: new Date(Math.max(...all.map(({ lastReceivedAt }) => lastReceivedAt.getTime()))),
    };
  });
  await transaction.execute(sql`
    insert into product_contact as known (
      owner_id, cluster_uid, licence_id, product_name, first_received_at, last_received_at
    )
    select owner_id, cluster_uid, licence_id, product_name, first_received_at, last_received_at
      from jsonb_to_recordset(${sql.json(rows)}::jsonb) as given (
        place integer, owner_id bigint, cluster_uid uuid, licence_id text, product_name text,
        first_received_at timestamptz, last_received_at timestamptz
      )
     order by place
        on conflict (owner_id, cluster_uid, licence_id, product_name) do update
       set first_received_at = least(known.first_received_at, excluded.first_received_at),
           last_received_at = greatest(known.last_received_at, excluded.last_received_at)`);
}

/** Microseconds since 1970 as PostgreSQL reads a time. */
function moment(microseconds: number): string {
  const seconds = Math.floor(microseconds / 1_000_000);
  const fraction = String(microseconds - seconds * 1_000_000).padStart(6, '0');
  return `"${new Date(seconds * 1000).toISOString().slice(0, 19)}.${fraction}Z"`;
}
