import { DashboardEventServiceService } from '@platform/proto/billing/v1/dashboard_event';
import { DashboardLicenseServiceService } from '@platform/proto/billing/v1/dashboard_license';
import { DashboardUserServiceService } from '@platform/proto/billing/v1/dashboard_user';
import { EventAdminServiceService } from '@platform/proto/billing/v1/event_admin';
import { UsageLookupServiceService } from '@platform/proto/billing/v1/lookup';
import { NamespaceReportServiceService } from '@platform/proto/billing/v1/namespace_report';
import { OutageServiceService } from '@platform/proto/billing/v1/outage';
import { UsageServiceService } from '@platform/proto/billing/v1/usage';
import { implement, type Implementation } from '@platform/rpc';
import { resealAll, sealedAnswers } from '@platform/writes';
import { getUserCluster, listActiveClusters, listUserClusters } from './dashboard/clusters.ts';
import { getEventsReport, getRawEvent, listEvents } from './dashboard/events.ts';
import {
  getUserLicense, listActiveLicenses, listActiveLicensesOfCluster, listUserLicenses,
} from './dashboard/licenses.ts';
import { getReceivedProduct, listReceivedProducts } from './dashboard/products.ts';
import { getResources } from './dashboard/resources.ts';
import { listActiveUsers, listInactiveUsers, listLicensedUsers } from './dashboard/users.ts';
import { downloadMonth } from './documents/download-month.ts';
import { enterHistory } from './ingest/enter-history.ts';
import { listParkedEvents } from './ingest/list-parked-events.ts';
import { replayParkedEvents } from './ingest/replay-parked-events.ts';
import { createOutage } from './outages/create-outage.ts';
import { getOutageReport } from './outages/get-outage-report.ts';
import { listOutageTags } from './outages/list-outage-tags.ts';
import type { Parts } from './parts.ts';
import { getNamespaceReport, listNamespaceReports } from './usage/namespace-reports.ts';
import { sumUseOfContracts } from './usage/sum-use-of-contracts.ts';
import { viewMethods } from './usage/view-methods.ts';

export function methods(parts: Parts): readonly Implementation[] {
  const listParked = listParkedEvents(parts);
  return [
    implement(EventAdminServiceService, {
      listSiteParkedEvents: async ({ after }, context) => listParked({ page: 0, limit: 0, after }, context),
      replaySiteParkedEvents: replayParkedEvents(parts),
      listParkedEvents: listParked,
      replayParkedEvents: replayParkedEvents(parts),
      enterHistory: enterHistory(parts),
      rotateKeys: (_request, { deadline }) =>
        resealAll((act) => parts.database.transact(act, { deadline }), parts.sealer, [sealedAnswers]),
    }),
    implement(UsageLookupServiceService, { sumUseOfContracts: sumUseOfContracts(parts.database) }),
    implement(UsageServiceService, { ...viewMethods(parts), downloadMonth: downloadMonth(parts) }),
    implement(NamespaceReportServiceService, {
      listNamespaceReports: listNamespaceReports(parts),
      getNamespaceReport: getNamespaceReport(parts),
    }),
    implement(DashboardUserServiceService, {
      listLicensedUsers: listLicensedUsers(parts),
      listActiveUsers: listActiveUsers(parts),
      listInactiveUsers: listInactiveUsers(parts),
      listUserClusters: listUserClusters(parts),
      listActiveClusters: listActiveClusters(parts),
      getUserCluster: getUserCluster(parts),
    }),
    implement(DashboardLicenseServiceService, {
      listUserLicenses: listUserLicenses(parts),
      listActiveLicenses: listActiveLicenses(parts),
      getUserLicense: getUserLicense(parts),
      listReceivedProducts: listReceivedProducts(parts),
      getReceivedProduct: getReceivedProduct(parts),
      listActiveLicensesOfCluster: listActiveLicensesOfCluster(parts),
    }),
    implement(DashboardEventServiceService, {
      getResources: getResources(parts),
      getEventsReport: getEventsReport(parts),
      listEvents: listEvents(parts),
      getRawEvent: getRawEvent(parts),
    }),
    implement(OutageServiceService, {
      createOutage: createOutage(parts),
      getOutageReport: getOutageReport(parts),
      listOutageTags: listOutageTags(parts),
    }),
  ];
}
