import { Fault, unavailable } from '@platform/faults';
import type { MeteredBillingServiceService } from '@platform/proto/marketplace/v1/metering';
import type { Handlers } from '@platform/rpc';
import type { Parts } from '../../parts.ts';
import { ProviderRefusal } from '../../providers/provider-http.ts';
import { notSetUp } from './provider-faults.ts';
import { reportUsageToProviderA } from './report-usage-a.ts';
import { reportUsageToProviderC } from './report-usage-c.ts';

/** The metered-billing proxy of spec §4.10. */
export function proxyMethods(
  { providers, config }: Pick<Parts, 'providers' | 'config'>,
): Handlers<typeof MeteredBillingServiceService> {
  return {
    reportUsageToProviderA: reportUsageToProviderA(providers),
    checkProviderA: async (_, { deadline }) => ready('the metering of provider A', providers.a?.reach(deadline)),
    reportUsageToProviderC: reportUsageToProviderC(providers, config),
    checkProviderC: async (_, { deadline }) => ready('the metering of provider C', providers.c?.signIn(deadline)),
  };
}

/** Awaits a readiness check of a provider (open-points 11.6). @throws Fault UNAVAILABLE; DeadlineExceeded */
async function ready(name: string, check: Promise<void> | undefined): Promise<Record<never, never>> {
  if (check === undefined) throw notSetUp(name);
  try {
    await check;
    return {};
  } catch (error) {
    const isAnswered = error instanceof ProviderRefusal || (error instanceof Fault && error.reason === 'BAD_UPSTREAM');
    throw isAnswered ? unavailable(name, error) : error;
  }
}
