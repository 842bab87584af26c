import type { Method } from '@platform/surface';
import type { Fault } from '@platform/faults';
import { isBadCredential, isRateLimited, type RateLimiter, type SourceAddress } from '@platform/limits';

/** Rate limits for callers who do not come through the gateway. The gateway limits its own callers. */
export interface DirectLimits {
  readonly rateLimiter: RateLimiter;
  readonly sourceAddress: SourceAddress;
}

export interface CountedCall {
  readonly fromService: boolean;
  readonly token: string | undefined;
  readonly sourceAddress: string;
}

export interface DirectLimit {
  /** Counts a call without credentials; returns a fault if the limit is exceeded. */
  before(call: CountedCall): Fault | undefined;
  /** Counts a call if the fault refuses its credentials. Returns RATE_LIMITED above the limit, otherwise the fault. */
  refused(call: CountedCall, fault: Fault): Fault;
}

export function directLimit(method: Method, { rateLimiter }: DirectLimits): DirectLimit {
  const isCounted = isRateLimited(method);
  return {
    before: ({ fromService, token, sourceAddress }) =>
      isCounted && !fromService && token === undefined ? rateLimiter.anonymous(sourceAddress) : undefined,
    refused: (call, fault) => {
      const counts = isCounted && !call.fromService && call.token !== undefined && isBadCredential(fault);
      return (counts && rateLimiter.failedCredentials(call.sourceAddress)) || fault;
    },
  };
}
