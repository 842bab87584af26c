import { Fault } from '@platform/faults';
import type { MarketplaceSetupServiceService } from '@platform/proto/marketplace/v1/metering';
import type { Handler } from '@platform/rpc';
import { openToken } from '../installers/store.ts';
import type { Parts } from '../parts.ts';
import { readSubscription } from '../subscriptions/report.ts';
import { pingProxy } from './proxy-client.ts';
import { warningsOf } from './warnings.ts';

/** GET /dashboard/marketplaces/settings/warnings. */
export function getSettingWarnings(
  { config, addressList }: Parts,
): Handler<typeof MarketplaceSetupServiceService.getSettingWarnings> {
  return async (_request, { deadline }) => {
    const rangesFetchedAt = await addressList.fetchedAt(deadline);
    return { warnings: warningsOf({ ...config, type: config.deploymentType, rangesFetchedAt }, new Date()) };
  };
}

/** GET /dashboard/marketplaces/{marketplace}/{subscriptionId}/ping. */
export function pingSubscription(
  { database, sealer }: Parts,
): Handler<typeof MarketplaceSetupServiceService.pingSubscription> {
  return async ({ marketplace, subscriptionId }, { deadline }) => {
    const row = await readSubscription(database, marketplace, subscriptionId, deadline);
    if (row.marketplace === 'ProviderB') {
      throw new Fault('UNSUPPORTED_MARKETPLACE', 'usage of provider B is reported to the provider itself');
    }
    const { hostedBaseUrl } = row;
    if (!hostedBaseUrl) throw new Fault('INVALID_VALUE', 'the subscription has no address for metering');
    const provider = row.marketplace === 'ProviderA' ? 'providera' : 'providerc';
    await pingProxy({ hostedBaseUrl, token: openToken(sealer, row), provider }, deadline);
    return {};
  };
}
