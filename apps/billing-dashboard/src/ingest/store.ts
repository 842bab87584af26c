import { sql, type Transaction } from '@platform/postgres';
import { isInTime } from '../usage/late-changes.ts';
import { type ArrivedEvent, type Copies, joinCopies, meteredKey } from './arrived-event.ts';
import { judgeCopies, type Judged } from './judge-copies.ts';
import { noteLateChanges, placeBelated } from './enter-late-changes.ts';
import { countRawEvents } from './kept-events.ts';
import { type LockedObject, lockMetered, lockObjects } from './lock-objects.ts';
import { timestamp } from '../usage/micros.ts';
import { noteContacts, putSiteInfos } from './note-contacts.ts';
import type { RawEvents } from './raw-events.ts';
import { type VersionRow, versionRow } from './version-row.ts';

/**
 * Stores events (open-points 13.5). A repeated event adds no version of its object. Concurrent batches lock rows in the
 * same order, to avoid deadlocks. Before the transaction, the caller must call `rawEvents.prepare` with the times of
 * arrival.
 * @param arrived in the order of arrival
 * @param lateUs the setting `usage.lateChanges`, in microseconds
 */
export async function storeEvents(
  transaction: Transaction, rawEvents: RawEvents, arrived: readonly ArrivedEvent[], lateUs: number,
): Promise<{ added: number; repeated: number; lateChanges: number }> {
  if (arrived.length === 0) return { added: 0, repeated: 0, lateChanges: 0 };
  const copies = joinCopies(arrived);
  const objects = await lockObjects(transaction, copies);
  const metered = await lockMetered(transaction, copies);
  const judged = judgeCopies(copies, metered, lateUs);
  const rowOf = (one: Judged, counted: Judged['counted']): VersionRow => versionRow(one, counted, objects.ids, metered);
  const rows = judged.filter(({ counted }) => counted.length > 0).map((one) => rowOf(one, one.counted));
  const repeated = new Set(await extendVersions(transaction, rows));
  const fresh = rows.filter(({ place }) => !repeated.has(place));
  await addVersions(transaction, rawEvents, fresh, copies, objects.versions);
  const late = await placeBelated(transaction, judged, rowOf);
  await addVersions(transaction, rawEvents, late.rows, copies, objects.versions);
  await noteLateChanges(transaction, late.changes);
  await putSiteInfos(transaction, copies);
  await noteUsageDue(transaction, judged, metered);
  await noteContacts(transaction, copies);
  const added = fresh.length + late.rows.length;
  await countRawEvents(transaction, [...fresh, ...late.rows].map(({ place, received_at: receivedAt }) => {
    const { event, copies: [copy] } = copies[place]!;
    return { ...event.member, receivedAt, bytes: copy!.message.data.length };
  }));
  return { added, repeated: arrived.length - added, lateChanges: late.changes.length };
}

/**
 * Adds the times of the rows to those versions that are already stored. Looks up versions one by one, because a join
 * might read all versions.
 * @returns the positions of rows whose versions were already stored
 */
async function extendVersions(transaction: Transaction, rows: readonly VersionRow[]): Promise<number[]> {
  const seen = rows.map((row) => ({
    place: row.place, object_id: row.object_id, identity: row.identity, seen: row.seen, received_at: row.received_at,
    last_received_at: row.last_received_at, metered_id: row.metered_id,
  }));
  const known = await transaction.query(sql<{ place: number; isMetered: boolean }>`
    update object_version version
       set seen = case when version.metered_id is null and given.metered_id is not null
                       then given.seen else version.seen + given.seen end,
           received_at = least(version.received_at, given.received_at),
           last_received_at = greatest(version.last_received_at, given.last_received_at)
      from jsonb_to_recordset(${sql.json(seen)}::jsonb) as given (
        place integer, object_id bigint, identity text, seen tstzmultirange, received_at timestamptz,
        last_received_at timestamptz, metered_id bigint
      )
     cross join lateral (
       select object_id, version from object_version
        where object_id = given.object_id and identity = decode(given.identity, 'hex') limit 1
     ) known
     where (version.object_id, version.version) = (known.object_id, known.version)
    returning given.place, version.metered_id is not null or given.metered_id is null as "isMetered"`);
  const unmetered = new Set(known.filter(({ isMetered }) => !isMetered).map(({ place }) => place));
  await meterVersions(transaction, rows.filter(({ place }) => unmetered.has(place)));
  return known.map(({ place }) => place);
}

/** Stores the amounts of versions that did not count until now, because all their earlier copies arrived too late. */
async function meterVersions(transaction: Transaction, rows: readonly VersionRow[]): Promise<void> {
  if (rows.length === 0) return;
  await transaction.execute(sql`
    update object_version version
       set metered_id = given.metered_id, owner_id = given.owner_id, cpu = given.cpu, memory = given.memory,
           storage = given.storage, replicas = given.replicas, mode = given.mode,
           resource_trial = given.resource_trial, detail = given.detail, spec_uid = given.spec_uid
      from jsonb_to_recordset(${sql.json(rows)}::jsonb) as given (
        object_id bigint, identity text, metered_id bigint, owner_id bigint, cpu numeric, memory numeric,
        storage numeric, replicas integer, mode text, resource_trial boolean, detail jsonb, spec_uid text
      )
     where version.object_id = given.object_id and version.identity = decode(given.identity, 'hex')`);
}

/** Adds versions with their raw events. @param latest number of the latest version by object id; this is updated */
async function addVersions(
  transaction: Transaction, rawEvents: RawEvents, rows: readonly VersionRow[], copies: readonly Copies[],
  latest: Map<number, number>,
): Promise<void> {
  if (rows.length === 0) return;
  const numbered = rows.map((row) => {
    const version = latest.get(row.object_id)! + 1;
    latest.set(row.object_id, version);
    return { ...row, version };
  });
  await transaction.execute(sql`
    insert into object_version (
      object_id, version, identity, type, licence_id, generation, seen, received_at, last_received_at,
      metered_id, owner_id, cpu, memory, storage, replicas, mode, resource_trial, detail, spec_uid, said_at
    )
    select object_id, version, decode(identity, 'hex'), type, licence_id, generation, seen, received_at,
           last_received_at, metered_id, owner_id, cpu, memory, storage, replicas, mode, resource_trial, detail,
           spec_uid, ${timestamp(sql`said_us`)}
      from jsonb_to_recordset(${sql.json(numbered)}::jsonb) as given (
             object_id bigint, version integer, identity text, type text, licence_id text, generation bigint,
             seen tstzmultirange, received_at timestamptz, last_received_at timestamptz, metered_id bigint,
             owner_id bigint, cpu numeric, memory numeric, storage numeric, replicas integer, mode text,
             resource_trial boolean, detail jsonb, spec_uid text, said_us bigint
           )`);
  const ids = [...new Set(rows.map((row) => row.object_id))];
  await transaction.execute(sql`
    update reported_object object set versions = given.version
      from unnest(${ids}::bigint[], ${ids.map((id) => latest.get(id)!)}::integer[]) as given (id, version)
     where object.id = any (${ids}::bigint[]) and object.id = given.id`);
  await rawEvents.add(transaction, numbered.map((row) => {
    const { resourceId, object: resource } = copies[row.place]!.event;
    return { objectId: row.object_id, version: row.version, receivedAt: row.received_at, resourceId, resource };
  }));
}

/**
 * Updates the times of each metered object in the batch. Marks the usage of the object as due for renewal, from the
 * time of the object's earliest event in the batch on.
 */
async function noteUsageDue(
  transaction: Transaction, judged: readonly Judged[], metered: ReadonlyMap<string, LockedObject>,
): Promise<void> {
  if (metered.size === 0) return;
  const due = [...Map.groupBy(judged, ({ event }) => meteredKey(event))].flatMap(([key, own]) => {
    if (key === undefined) return [];
    const copies = own.flatMap((one) => one.copies);
    return [{
      id: metered.get(key)!.id, first_us: Math.min(...copies.map(({ time }) => time)),
      last_us: latest(copies.map(({ until }) => until)),
      proven_us: latest(copies.filter(isInTime).map(({ until }) => until)),
    }];
  });
  await transaction.execute(sql`
    update metered_object object
       set first_at = least(object.first_at, ${timestamp(sql`first_us`)}),
           last_seen_at = greatest(object.last_seen_at, ${timestamp(sql`last_us`)}),
           proven_at = greatest(object.proven_at, ${timestamp(sql`proven_us`)}),
           due_from = least(object.due_from, ${timestamp(sql`first_us`)}),
           due_since = coalesce(object.due_since, now())
      from jsonb_to_recordset(${sql.json(due)}::jsonb) as due (
        id bigint, first_us bigint, last_us bigint, proven_us bigint
      )
     where object.id = any (${due.map(({ id }) => id)}::bigint[]) and object.id = due.id`);
}

function latest(moments: readonly number[]): number | null {
  return moments.length === 0 ? null : Math.max(...moments);
}
