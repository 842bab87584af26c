import type { DashboardEventServiceService } from '@platform/proto/billing/v1/dashboard_event';
import { sql } from '@platform/postgres';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { ownTime, versionsOf } from './events.ts';
import { productFrom, productIsKnown, requireKnown } from './place.ts';

/** Maximum number of event times in a report (open-points 8.3). */
const mostTimes = 10_000;
const hourMs = 3_600_000;

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
    const hours = first === null || last === null ? 0 : (last.getTime() - first.getTime()) / hourMs;
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
