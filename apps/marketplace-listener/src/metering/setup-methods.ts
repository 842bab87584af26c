import { Fault } from '@platform/faults';
import type { MarketplaceSetupServiceService } from '@platform/proto/marketplace/v1/metering';
import type { Handlers } from '@platform/rpc';
import { openToken } from '../installers/store.ts';
import type { Parts } from '../parts.ts';
import { readSubscription } from '../subscriptions/report.ts';
import { pingProxy } from './proxy-client.ts';
import { warningsOf } from './warnings.ts';

export function setupMethods(
  { addressList, config, database, sealer }: Parts,
): Handlers<typeof MarketplaceSetupServiceService> {
  return {
    /** GET /dashboard/marketplaces/settings/warnings. */
    getSettingWarnings: async (_request, { deadline }) => {
      const rangesFetchedAt = await addressList.fetchedAt(deadline);
      return { warnings: warningsOf({ ...config, type: config.deploymentType, rangesFetchedAt }, new Date()) };
    },
    /** GET /dashboard/marketplaces/{marketplace}/{subscriptionId}/ping. */
    pingSubscription: async ({ marketplace, subscriptionId }, { deadline }) => {
      const row = await readSubscription(database, marketplace, subscriptionId, deadline);
      if (row.marketplace === 'ProviderB') {
        const message = 'provider B needs no ping: usage is reported to the provider directly';
        throw new Fault('UNSUPPORTED_MARKETPLACE', message);
      }
      const { hostedBaseUrl } = row;
      if (!hostedBaseUrl) throw new Fault('INVALID_VALUE', 'the subscription has no metering URL to ping');
      const provider = row.marketplace === 'ProviderA' ? 'providera' : 'providerc';
      await pingProxy({ hostedBaseUrl, token: openToken(sealer, row), provider }, deadline);
      return {};
    },
  };
}
