import { Fault } from '@platform/rpc';
import type { Metrics } from '@platform/service';
import { type Rate, type Taken, TokenBuckets } from './token-buckets.ts';

/** Rates per source address (open-points 1.9). */
export interface RateLimits {
  readonly anonymous: Rate;
  readonly failedCredentials: Rate;
}

/** Counts requests by source address. A refusal is a fault with the headers to send. */
export interface RateLimiter {
  /** Counts a request without credentials. */
  anonymous(address: string): Fault | undefined;
  /** Counts a request whose credentials were refused; only such requests are ever refused by it. */
  failedCredentials(address: string): Fault | undefined;
}

/** Undefined limits switch it off (run modes `dev` and `test`). */
export function createRateLimiter(limits: RateLimits | undefined, metrics?: Metrics): RateLimiter {
  const refusals = metrics?.counter({
    name: 'rate_limit_refusals_total',
    help: 'Requests refused because too many came, by the limit they met.',
    labels: ['policy'],
  });
  if (!limits) return { anonymous: () => undefined, failedCredentials: () => undefined };
  const counting = (policy: string, rate: Rate): ((address: string) => Fault | undefined) => {
    const buckets = new TokenBuckets(rate);
    const refused = refusals?.with({ policy });
    return (address) => {
      const taken = buckets.take(address);
      if (taken.allowed) return undefined;
      refused?.add();
      return refusal(policy, rate, taken);
    };
  };
  return {
    anonymous: counting('anonymous', limits.anonymous),
    failedCredentials: counting('failed-credentials', limits.failedCredentials),
  };
}

/** The fields of draft-ietf-httpapi-ratelimit-headers (10): quota and window, what remains and when there is more. */
function refusal(policy: string, { perSecond, burst }: Rate, { left, seconds }: Taken): Fault {
  return new Fault('RATE_LIMITED', 'too many requests from this address, try again later', {
    retryAfterSeconds: seconds,
    metadata: {
      rateLimit: `"${policy}";r=${left};t=${seconds}`,
      rateLimitPolicy: `"${policy}";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`,
    },
  });
}
