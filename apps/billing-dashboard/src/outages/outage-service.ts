import { orderBy, pageOf, readPage } from '@platform/lists';
import { OutageServiceService } from '@platform/proto/billing/v1/outage';
import { sql } from '@platform/postgres';
import { type Handler, implement, type Implementation } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { createOutage } from './create-outage.ts';
import { reportOn } from './outage-report.ts';
import { readNamesOfClusters, readOutages, showOutage } from './store.ts';

/** Outages of spec §4.6. */
export function outageService(parts: Parts): Implementation {
  return implement(OutageServiceService, {
    createOutage: createOutage(parts),
    getOutageReport: getOutageReport(parts),
    listOutageTags: listOutageTags(parts),
  });
}

/** GET /dashboard/system-outages/report. An empty filter counts as absent (open-points 13.5). */
function getOutageReport({ database }: Parts): Handler<typeof OutageServiceService.getOutageReport> {
  return async ({ start, accountId, clusterId, tags }, { deadline }) => {
    const outages = await readOutages(database, {
      endsAfter: start, accountId, clusterId: clusterId || undefined,
      tags: tags.map((tag) => tag.trim()).filter((tag) => tag !== ''),
    }, deadline);
    const clusters = [...new Set(outages.map((outage) => outage.clusterId))];
    const report = reportOn(outages, await readNamesOfClusters(database, clusters, deadline));
    return { report, entries: outages.map(showOutage) };
  };
}

const byTag = orderBy({ column: 'tag', kind: 'text' });

/** GET /dashboard/system-outages/tags. */
function listOutageTags({ database, config }: Parts): Handler<typeof OutageServiceService.listOutageTags> {
  return async ({ page, perPage, after }, { deadline }) => {
    const listed = await readPage<{ tag: string }>(database, {
      rows: sql`select distinct tag collate "C" as "tag" from outage cross join unnest(tags) tag`,
      order: byTag,
      count: sql`select count(distinct tag) from outage cross join unnest(tags) tag`,
    }, pageOf({ page, limit: perPage, after }, config), deadline);
    const { items, total, next } = listed!;
    return { tags: items.map(({ tag }) => tag), total, next };
  };
}
