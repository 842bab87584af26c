import { Fault } from '@platform/faults';
import { ProviderRefusal } from '../../providers/provider-http.ts';

/**
 * Awaits a call. A refusal of the provider becomes a fault with the code and error of the provider (open-points 11.6).
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
