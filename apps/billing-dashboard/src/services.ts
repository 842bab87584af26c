import { EventAdminServiceService } from '@platform/proto/billing/v1/event_admin';
import { UsageLookupServiceService } from '@platform/proto/billing/v1/lookup';
import { implement, type Implementation } from '@platform/rpc';
import { dashboardServices } from './dashboard/dashboard-services.ts';
import { enterHistory } from './ingest/enter-history.ts';
import { listParkedEvents } from './ingest/list-parked-events.ts';
import { replayParkedEvents } from './ingest/replay-parked-events.ts';
import { outageService } from './outages/outage-service.ts';
import type { Parts } from './parts.ts';
import { namespaceReportService } from './usage/namespace-reports.ts';
import { sumUseOfContracts } from './usage/sum-use-of-contracts.ts';
import { usageService } from './usage/usage-service.ts';

/** Every method of this service. */
export function services(parts: Parts): readonly Implementation[] {
  return [
    implement(EventAdminServiceService, {
      listParkedEvents: listParkedEvents(parts),
      replayParkedEvents: replayParkedEvents(parts),
      enterHistory: enterHistory(parts),
    }),
    implement(UsageLookupServiceService, { sumUseOfContracts: sumUseOfContracts(parts.database) }),
    usageService(parts),
    namespaceReportService(parts),
    ...dashboardServices(parts),
    outageService(parts),
  ];
}
