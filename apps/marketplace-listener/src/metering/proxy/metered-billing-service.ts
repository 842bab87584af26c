import { MeteredBillingServiceService } from '@platform/proto/marketplace/v1/metering';
import { type Handler, implement, type Implementation, unavailable } from '@platform/rpc';
import { ProviderRefusal } from '../../providers/provider-http.ts';
import type { Providers } from '../../providers/open-providers.ts';
import { reportUsageToProviderA } from './report-usage-a.ts';
import { reportUsageToProviderC } from './report-usage-c.ts';

/** The metered-billing proxy of spec §4.10. */
export function meteredBillingService(
  providers: Providers, config: { readonly providerCServiceName: string | undefined },
): Implementation {
  return implement(MeteredBillingServiceService, {
    reportUsageToProviderA: reportUsageToProviderA(providers),
    checkProviderA: checkProviderA(providers),
    reportUsageToProviderC: reportUsageToProviderC(providers, config),
    checkProviderC: checkProviderC(providers),
  });
}

function checkProviderA({ a }: Providers): Handler<typeof MeteredBillingServiceService.checkProviderA> {
  return async (_request, { deadline }) => {
    if (a === undefined) throw unavailable('the metering of provider A');
    await a.reach(deadline);
    return {};
  };
}

function checkProviderC({ c }: Providers): Handler<typeof MeteredBillingServiceService.checkProviderC> {
  return async (_request, { deadline }) => {
    if (c === undefined) throw unavailable('the metering of provider C');
    await c.signIn(deadline).catch((error: unknown) => {
      throw error instanceof ProviderRefusal ? unavailable('the metering of provider C', error) : error;
    });
    return {};
  };
}
