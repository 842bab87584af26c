import { InstallerAdminServiceService, InstallerServiceService } from '@platform/proto/marketplace/v1/installer';
import { ListenerServiceService } from '@platform/proto/marketplace/v1/listener';
import {
  MarketplaceSetupServiceService, MeteredBillingServiceService, MeteringAdminServiceService,
} from '@platform/proto/marketplace/v1/metering';
import { NotificationServiceService } from '@platform/proto/marketplace/v1/notification';
import { SubscriptionServiceService } from '@platform/proto/marketplace/v1/subscription';
import { implement, type Implementation } from '@platform/rpc';
import { platformVersion } from '@platform/service';
import { downloadArchive } from './archive/download-archive.ts';
import { checkClaimable } from './claims/check-claimable.ts';
import { proxyMethods } from './metering/proxy/proxy-methods.ts';
import { resendReports } from './metering/resend-reports.ts';
import { setupMethods } from './metering/setup-methods.ts';
import { notificationMethods } from './notifications/notification-methods.ts';
import type { Parts } from './parts.ts';
import { installerMethods } from './subscriptions/installer-methods.ts';
import { subscriptionMethods } from './subscriptions/subscription-methods.ts';

export function methods(parts: Parts): readonly Implementation[] {
  return [
    implement(ListenerServiceService, {
      getListenerVersion: async () => ({ version: platformVersion }),
      checkClaimable: checkClaimable(parts),
    }),
    implement(NotificationServiceService, notificationMethods(parts)),
    implement(SubscriptionServiceService, subscriptionMethods(parts)),
    implement(InstallerServiceService, { downloadArchive: downloadArchive(parts) }),
    implement(InstallerAdminServiceService, installerMethods(parts)),
    implement(MeteredBillingServiceService, proxyMethods(parts)),
    implement(MarketplaceSetupServiceService, setupMethods(parts)),
    implement(MeteringAdminServiceService, { resendReports: resendReports(parts) }),
  ];
}
