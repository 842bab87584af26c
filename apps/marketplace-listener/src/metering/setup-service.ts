import { Fault } from '@platform/faults';
import { MarketplaceSetupServiceService } from '@platform/proto/marketplace/v1/metering';
import { type Handler, implement, type Implementation } from '@platform/rpc';
import { openToken } from '../installers/store.ts';
import type { Parts } from '../parts.ts';
import { readSubscription } from '../subscriptions/report.ts';
import { subscriptionNotFound } from '../subscriptions/subscription-service.ts';
import { pingProxy } from './proxy-client.ts';
import { warningsOf } from './warnings.ts';

/** How the marketplace is set up (spec §4.6, open-points 8.4). */
export function setupService(parts: Parts): Implementation {
  return implement(MarketplaceSetupServiceService, {
    getSettingWarnings: getSettingWarnings(parts),
    pingSubscription: pingSubscription(parts),
  });
}

/** GET /dashboard/marketplaces/settings/warnings. */
function getSettingWarnings(
  { config, addressList }: Parts,
): Handler<typeof MarketplaceSetupServiceService.getSettingWarnings> {
  return async (_request, { deadline }) => {
    const rangesFetchedAt = await addressList.fetchedAt(deadline);
    return { warnings: warningsOf({ ...config, type: config.deploymentType, rangesFetchedAt }, new Date()) };
  };
}

/** GET /dashboard/marketplaces/{marketplace}/{subscriptionId}/ping. */
function pingSubscription(
  { database, sealer }: Parts,
): Handler<typeof MarketplaceSetupServiceService.pingSubscription> {
  return async ({ marketplace, subscriptionId }, { deadline }) => {
    const row = await readSubscription(database, marketplace, subscriptionId, deadline);
    if (row === undefined) throw subscriptionNotFound();
    if (row.marketplace === 'ProviderB') {
      throw new Fault('UNSUPPORTED_MARKETPLACE', 'usage of provider B is reported to the provider itself');
    }
    const { hostedBaseUrl } = row;
    if (hostedBaseUrl === null || hostedBaseUrl === '') {
      throw new Fault('INVALID_VALUE', 'the subscription has no address for metering');
    }
    const provider = row.marketplace === 'ProviderA' ? 'providera' : 'providerc';
    await pingProxy({ hostedBaseUrl, token: openToken(sealer, row), provider }, deadline);
    return {};
  };
}
