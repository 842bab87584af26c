import { Fault } from '@platform/faults';
import { ProviderRefusal } from '../../providers/provider-http.ts';

/** The fault if the settings for `metering` are missing. */
export function notSetUp(metering: string): Fault {
  return new Fault('UNAVAILABLE', `${metering} is not set up on this platform`, { retryAfterSeconds: 1 });
}

/**
 * Awaits a call to a provider. A refusal becomes a fault with the provider's code and error (open-points 11.6).
 * @throws Fault PROVIDER_REFUSED, PROVIDER_FAILED, UNAVAILABLE, BAD_UPSTREAM; DeadlineExceeded
 */
export async function passingRefusals<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error;
    throw new Fault(error.isOfReport ? 'PROVIDER_REFUSED' : 'PROVIDER_FAILED', error.message, {
      metadata: { providerCode: error.code, providerError: JSON.stringify(error.error) },
    });
  }
}
