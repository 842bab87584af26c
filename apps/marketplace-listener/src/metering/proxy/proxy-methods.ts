import { Fault, unavailable } from '@platform/faults';
import type { MeteredBillingServiceService } from '@platform/proto/marketplace/v1/metering';
import type { Handler, Handlers } from '@platform/rpc';
import type { Parts } from '../../parts.ts';
import { ProviderRefusal } from '../../providers/provider-http.ts';
import type { Providers } from '../../providers/open-providers.ts';
import { reportUsageToProviderA } from './report-usage-a.ts';
import { reportUsageToProviderC } from './report-usage-c.ts';

/** The metered-billing proxy of spec §4.10. */
export function proxyMethods(
  { providers, config }: Pick<Parts, 'providers' | 'config'>,
): Handlers<typeof MeteredBillingServiceService> {
  return {
    reportUsageToProviderA: reportUsageToProviderA(providers),
    checkProviderA: checkProviderA(providers),
    reportUsageToProviderC: reportUsageToProviderC(providers, config),
    checkProviderC: checkProviderC(providers),
  };
}

function checkProviderA({ a }: Providers): Handler<typeof MeteredBillingServiceService.checkProviderA> {
  return async (_request, { deadline }) => {
    if (a === undefined) throw unavailable('the metering of provider A');
    return ready('the metering of provider A', a.reach(deadline));
  };
}

function checkProviderC({ c }: Providers): Handler<typeof MeteredBillingServiceService.checkProviderC> {
  return async (_request, { deadline }) => {
    if (c === undefined) throw unavailable('the metering of provider C');
    return ready('the metering of provider C', c.signIn(deadline));
  };
}

/** A provider is ready only if it answers with success (open-points 11.6). @throws Fault UNAVAILABLE */
async function ready(name: string, check: Promise<void>): Promise<Record<never, never>> {
  try {
    await check;
    return {};
  } catch (error) {
    const isAnswered = error instanceof ProviderRefusal || (error instanceof Fault && error.reason === 'BAD_UPSTREAM');
    throw isAnswered ? unavailable(name, error) : error;
  }
}
