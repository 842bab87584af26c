import { notFound } from '@platform/faults';
import { orderBy } from '@platform/lists';
import type { DashboardEventServiceService } from '@platform/proto/billing/v1/dashboard_event';
import { type Fragment, sql } from '@platform/postgres';
import type { Handler } from '@platform/rpc';
import { invalidParameter } from '@platform/values';
import type { Parts } from '../parts.ts';
import type { RawHead, VersionKey } from '../ingest/raw-events.ts';
import { pageFrom, productFrom, productIsKnown, type ProductPlace, readKnown, requireKnown, unix } from './place.ts';

/** Default of `lastDays`, in days (spec §4.6). */
const usualDays = 14;
/** Maximum number of event times in a report (open-points 8.3). */
const mostTimes = 10_000;

type EventRow = VersionKey & { readonly key: string; readonly at: Date };

const newestFirst = orderBy(
  { column: 'at', kind: 'time', descending: true }, { column: 'key', kind: 'text' },
  { column: 'version', kind: 'integer', descending: true },
);

/** SQL after `from`: the objects of a product (`object`), and their versions under a licence (`version`). */
function versionsOf({ ownerId, clusterUid, licenceId, productName }: ProductPlace): Fragment {
  return sql`
    reported_object object join object_version version on version.object_id = object.id
     where object.owner_id = ${ownerId} and object.cluster_uid = ${clusterUid}::uuid
       and object.product_name = ${productName} and version.licence_id = ${licenceId}`;
}

/** The event's own time. For a late event, `version.at` may be later (open-points 13.5). */
const ownTime = sql`coalesce(version.said_at, version.at)`;

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

/** GET …/products/{productName}/events-histories (spec §4.6). */
export function getEventsReport({ database }: Parts): Handler<typeof DashboardEventServiceService.getEventsReport> {
  return async (request, { deadline }) => {
    const place = productFrom(request);
    await requireKnown(database, productIsKnown(place), deadline);
    const { group = '', resource = '', rid = '' } = request;
    const conditions = [
      sql`true`,
      ...(group === '' ? [] : [sql`object.api_group = ${group === 'core' ? '' : group}`]),
      ...(resource === '' ? [] : [sql`object.resource = ${resource}`]),
      ...(rid === '' ? [] : [sql`(
        object.subject = ${rid} or version.spec_uid = ${rid}
        or exists (select from metered_object metered where metered.id = version.metered_id and object_uid = ${rid})
      )`]),
    ];
    const { total, first, last, times } = await database.one(sql<{
      total: number; first: Date | null; last: Date | null; times: Date[];
    }>`
      with matching as materialized (
        select ${ownTime} as at from ${versionsOf(place)} and ${sql.join(conditions, sql` and `)}
      )
      select count(*) as "total", min(at) as "first", max(at) as "last", array(
               select at from (select at from matching order by at desc limit ${mostTimes}) latest order by at
             ) as "times"
        from matching`, { deadline });
    const hours = first === null || last === null ? 0 : (last.getTime() - first.getTime()) / 3_600_000;
    return {
      userId: place.ownerId, clusterId: place.clusterUid, licenseId: place.licenceId, group, resource, resourceId: rid,
      totalEvents: total, eventsTimeHistories: times, eventsDurationHours: rounded(hours),
      averageEventsPerHour: rounded(total / Math.max(hours, 1)),
    };
  };
}

function rounded(number: number): number {
  return Math.round(number * 100) / 100;
}
