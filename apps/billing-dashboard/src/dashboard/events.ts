import { notFound } from '@platform/faults';
import { orderBy } from '@platform/lists';
import type { DashboardEventServiceService } from '@platform/proto/billing/v1/dashboard_event';
import { type Fragment, sql } from '@platform/postgres';
import type { Handler } from '@platform/rpc';
import { invalidParameter } from '@platform/values';
import type { Parts } from '../parts.ts';
import type { RawHead, VersionKey } from '../ingest/raw-events.ts';
import { pageFrom, productFrom, productIsKnown, type ProductPlace, readKnown, unix } from './place.ts';

/** Open-points 8.3. */
const usualDays = 14;

interface EventRow extends VersionKey {
  readonly key: string;
  readonly at: Date;
}

const newestFirst = orderBy(
  { column: 'at', kind: 'time', descending: true }, { column: 'key', kind: 'text' },
  { column: 'version', kind: 'integer', descending: true },
);

/** Versions of the objects that a product reported under a licence, as `version` and `object`. */
export function versionsOf({ ownerId, clusterUid, licenceId, productName }: ProductPlace): Fragment {
  return sql`
    reported_object object join object_version version on version.object_id = object.id
     where object.owner_id = ${ownerId} and object.cluster_uid = ${clusterUid}::uuid
       and object.product_name = ${productName} and version.licence_id = ${licenceId}`;
}

/** The time that the event states. A late event may count only from a later time (open-points 13.5). */
export const ownTime = sql`coalesce(version.said_at, version.at)`;

/** Key of an object (open-points 8.3). */
const key = sql`(coalesce(nullif(object.api_group, ''), 'core') || '/' || object.resource || '/' || object.subject)`;

/** GET …/products/{productName}/events (spec §4.6). */
export function listEvents(
  { config, database, rawEvents }: Parts,
): Handler<typeof DashboardEventServiceService.listEvents> {
  return async (request, { deadline }) => {
    const page = pageFrom(request, config);
    const { lastDays = usualDays } = request;
    const place = productFrom(request);
    const rows = sql`
      select ${key} collate "C" as "key", version.version, ${ownTime} as "at", object.id as "objectId",
             version.received_at as "receivedAt"
        from ${versionsOf(place)} and ${ownTime} >= now() - ${lastDays}::integer * interval '24 hours'`;
    const list = { rows, order: newestFirst };
    const { items, total, next } = await readKnown<EventRow>(database, productIsKnown(place), list, page, deadline);
    const heads = await rawEvents.readHeads(items, deadline);
    return { events: items.map((row, place) => showEvent(row, heads[place])), total, next };
  };
}

const noHead: RawHead = { apiVersion: '', kind: '', metadata: {} };

function showEvent({ key, version, at }: EventRow, { apiVersion, kind, metadata }: RawHead = noHead) {
  return { key, version, timestamp: unix(at), partialResource: { partialObjectMeta: { apiVersion, kind, metadata } } };
}

/** GET …/events/raw-event. */
export function getRawEvent({ database, rawEvents }: Parts): Handler<typeof DashboardEventServiceService.getRawEvent> {
  return async (request, { deadline }) => {
    if (request.key === '') throw invalidParameter('key', 'must not be empty');
    const place = productFrom(request);
    const number = Number(request.version);
    if (!Number.isSafeInteger(number)) throw notFound();
    const found = await database.maybeOne(sql<VersionKey & { at: Date }>`
      select version.object_id as "objectId", version.version, version.received_at as "receivedAt", ${ownTime} as "at"
        from ${versionsOf(place)} and ${key} = ${request.key!} and version.version = ${number}::bigint
         and ${productIsKnown(place)}
       order by version.object_id limit 1`, { deadline });
    const raw = found && await rawEvents.read(found, deadline);
    if (found === undefined || raw === undefined) throw notFound();
    const { resourceId, resource } = raw;
    return { resourceId, licenseId: place.licenceId, version: number, timestamp: unix(found.at), resource };
  };
}
