import type { OutageServiceService } from '@platform/proto/billing/v1/outage';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { reportOn } from './outage-report.ts';
import { readNamesOfClusters, readOutages, showOutage } from './store.ts';

/** GET /dashboard/system-outages/report. An empty filter is treated as absent (open-points 13.5). */
export function getOutageReport({ database }: Parts): Handler<typeof OutageServiceService.getOutageReport> {
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
