import { DashboardEventServiceService } from '@platform/proto/billing/v1/dashboard_event';
import { DashboardLicenseServiceService } from '@platform/proto/billing/v1/dashboard_license';
import { DashboardUserServiceService } from '@platform/proto/billing/v1/dashboard_user';
import { implement, type Implementation } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { getUserCluster, listActiveClusters, listUserClusters } from './clusters.ts';
import { getRawEvent, listEvents } from './events.ts';
import { getEventsReport } from './events-report.ts';
import { getUserLicense, listActiveLicenses, listActiveLicensesOfCluster, listUserLicenses } from './licenses.ts';
import { getReceivedProduct, listReceivedProducts } from './products.ts';
import { getResources } from './resources.ts';
import { listActiveUsers, listInactiveUsers, listLicensedUsers } from './users.ts';

/** The dashboard of spec §4.6: everything that customers have and report, for site admins. */
export function dashboardServices(parts: Parts): readonly Implementation[] {
  return [
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
  ];
}
