import type {
  ProviderBBillingDetails, ProxyBillingDetails, Subscription,
} from '@platform/proto/marketplace/v1/subscription';
import type { Sealer } from '@platform/service';
import { openToken } from '../installers/store.ts';
import { applicationParts } from './application-id.ts';
import type { BillingRow, ShownRow } from './report.ts';
import { isRevocable } from './state.ts';

/** A subscription as lists show it (spec §2.5). */
export function toSubscription(row: ShownRow): Subscription {
  return {
    marketplace: row.marketplace,
    subscriptionId: row.publicId,
    subscriberId: row.ownerId,
    requesterId: 0,
    boundedInstallerId: row.installerId,
    state: row.state,
    isRevocable: isRevocable(row.state),
    noOfBillingEventSent: row.billingEvents,
    createdAt: row.createdAt,
    lastUpdatedAt: row.updatedAt,
    lastBillingEventSentAt: row.lastBillingEventAt ?? undefined,
    noOfAlertNotificationsSent: row.alerts === 0 ? undefined : row.alerts,
    lastAlertNotificationSentAt: row.lastAlertAt ?? undefined,
    billingNotBefore: row.billingNotBefore ?? undefined,
  };
}

/** A subscription with its billing details, such as `providerABillingDetails` (open-points 8.4). */
export function withBillingDetails(row: ShownRow & BillingRow, sealer: Sealer): Subscription {
  const shown = toSubscription(row);
  switch (row.marketplace) {
    case 'ProviderA':
      return { ...shown, providerABillingDetails: proxyDetails(row, sealer) };
    case 'ProviderB':
      return { ...shown, providerBBillingDetails: applicationDetails(row) };
    case 'ProviderC':
      return { ...shown, providerCBillingDetails: proxyDetails(row, sealer) };
  }
}

function proxyDetails(row: BillingRow, sealer: Sealer): ProxyBillingDetails {
  const token = openToken(sealer, row);
  return {
    hostedBaseUrl: row.hostedBaseUrl ?? '',
    meteringProxyApiToken: token === undefined ? '' : `********${token.reveal().slice(-4)}`,
  };
}

function applicationDetails(row: BillingRow): ProviderBBillingDetails {
  const parts = applicationParts(row.applicationId ?? '');
  return {
    resourceUri: row.applicationId ?? '',
    resourceUsageId: row.resourceUsageId,
    managedResourceGroupId: row.managedResourceGroup,
    planId: row.planName ?? '',
    subscriptionId: parts?.clientSubscriptionId ?? '',
    customerOwnedRg: parts?.resourceGroup ?? '',
    appName: parts?.application ?? '',
  };
}
