import type { Database, Queryable } from '@platform/postgres';
import type { UsageServiceService } from '@platform/proto/billing/v1/usage';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { readGeneratedMonths } from './read-months.ts';
import { readSnapshot } from './snapshot.ts';
import { jsonAnswer } from './envelope.ts';
import { monthNames } from './month.ts';
import { type MonthView, nowUs, showMonth } from './month-view.ts';
import { showClusterModes, showSummaries } from './object-lists.ts';
import { showModeIntervals, showMonthHistory, showObjectHistory } from './object-views.ts';
import { clustersView, contractsView, groupKindsView, namespacesView, objectsView } from './usage-views.ts';
import { type Calling, shownOwner, type ViewParameters } from './view-request.ts';

type Context = Parameters<Handler<typeof UsageServiceService.getContractsUsage>>[1];

/** The methods of `UsageService` (spec §4.5), except `downloadMonth`. */
export function viewMethods({ database }: Parts) {
  const shown = <Request>(show: (rows: Queryable, request: Request, context: Context) => Promise<object>) =>
    (request: Request, context: Context) =>
      jsonAnswer(readSnapshot(database, context.deadline, (snapshot) => show(snapshot, request, context)));
  const month = (view: MonthView) => shown<ViewParameters>((rows, request, context) =>
    showMonth(rows, view, request, context));
  return {
    getGeneratedMonths: (_request: unknown, context: Context) => jsonAnswer(showGeneratedMonths(database, context)),
    getObjectQuotaHistory: shown(showObjectHistory),
    getObjectsUsage: month(objectsView),
    getClustersUsage: month(clustersView('productdb')),
    getNamespacesUsage: month(namespacesView),
    getGroupKindsUsage: month(groupKindsView),
    getContractsUsage: month(contractsView('productdb')),
    getQuotaHistorySummaries: shown(showSummaries),
    getMonthQuotaHistory: shown(showMonthHistory),
    getClusterModeUsage: shown(showClusterModes),
    getObjectClusterModeUsage: shown(showModeIntervals),
    getBackupClustersUsage: month(clustersView('productbackup')),
    getBackupContractsUsage: month(contractsView('productbackup')),
    getVaultClustersUsage: month(clustersView('productvault')),
    getVaultContractsUsage: month(contractsView('productvault')),
    getIngressClustersUsage: month(clustersView('productingress')),
    getIngressContractsUsage: month(contractsView('productingress')),
  };
}

/** GET /dashboard/summary/generated-months (open-points 7.1). */
async function showGeneratedMonths(database: Database, { account, deadline }: Calling): Promise<object> {
  const days = await readGeneratedMonths(database, shownOwner({ account }), nowUs(), deadline);
  const byYear = [...Map.groupBy(days, (day) => day.slice(0, 4))];
  const named = byYear.map(([year, own]) => [year, own.map((day) => monthNames[Number(day.slice(5, 7)) - 1])] as const);
  return { yearMonthList: Object.fromEntries(named) };
}
