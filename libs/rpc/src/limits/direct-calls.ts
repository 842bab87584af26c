import type { Method } from '@platform/surface';
import type { Fault } from '@platform/faults';
import { isBadCredential, isRateLimited, type RateLimiter, type SourceAddress } from '@platform/limits';

/** How often callers may ask who do not come through the gateway, which counts those that do. */
export interface DirectLimits {
  readonly rateLimiter: RateLimiter;
  readonly sourceAddress: SourceAddress;
}

/** What of a call decides whether and where it is counted. */
export interface CountedCall {
  /** It comes from a service of ours. */
  readonly fromService: boolean;
  readonly token: string | undefined;
  readonly sourceAddress: string;
}

/** The limits of one method. */
export interface DirectLimit {
  /** Counts a call without credentials; answers the fault of one too many. */
  before(call: CountedCall): Fault | undefined;
  /** The fault of a refused call: refused credentials count, and one too many gets RATE_LIMITED instead. */
  refused(call: CountedCall, fault: Fault): Fault;
}

export function directLimit(method: Method, { rateLimiter }: DirectLimits): DirectLimit {
  const isCounted = isRateLimited(method);
  return {
    before: (call) => {
      const counts = isCounted && !call.fromService && call.token === undefined;
      return counts ? rateLimiter.anonymous(call.sourceAddress) : undefined;
    },
    refused: (call, fault) => {
      const counts = isCounted && !call.fromService && call.token !== undefined && isBadCredential(fault);
      return (counts && rateLimiter.failedCredentials(call.sourceAddress)) || fault;
    },
  };
}
