import { Fault } from '@platform/faults';
import { type Config, type Metrics, noMetrics } from '@platform/service';
import type { Method } from '@platform/surface';
import { sourceOf } from './source-address.ts';
import { type Rate, type Taken, TokenBuckets } from './token-buckets.ts';

/** Limits of request rates (open-points 1.9). */
export interface RateLimits {
  /** Anonymous requests, per source: an IPv4 address, or an IPv6 network ({@link sourceOf}). */
  readonly anonymous: Rate;
  /** Requests with refused credentials, per source. */
  readonly failedCredentials: Rate;
  /** Authenticated requests, per account. Only orgs-teams counts them, because only orgs-teams resolves tokens. */
  readonly account: Rate;
}

/** Counts requests in this replica. An address counts under the key that {@link sourceOf} returns. */
export interface RateLimiter {
  anonymous(address: string): Fault | undefined;
  /** Counts a request with refused credentials. Returns a fault if the limit is exceeded. */
  failedCredentials(address: string): Fault | undefined;
  /** Returns whether {@link failedCredentials} would refuse the next request of this address. */
  hasFailedTooOften(address: string): boolean;
  /** @param countsAs number of requests that the request counts as, see {@link requestsOf} */
  account(id: number, countsAs?: number): Fault | undefined;
}

export const ratePicks = {
  runMode: 'run.mode',
  rateLimit: 'rateLimit.enabled',
  anonymousPerSecond: 'rateLimit.anonymousPerSecond',
  anonymousBurst: 'rateLimit.anonymousBurst',
  failedCredentialsPerSecond: 'rateLimit.failedCredentialsPerSecond',
  failedCredentialsBurst: 'rateLimit.failedCredentialsBurst',
  accountPerSecond: 'rateLimit.accountPerSecond',
  accountBurst: 'rateLimit.accountBurst',
  trustedProxies: 'http.trustedProxies',
} as const;

/** Returns the configured limits, or undefined if they are off. `auto` means on in run mode `prod` (open-points 15). */
export function rateLimitsOf(config: Config<typeof ratePicks>): RateLimits | undefined {
  const isOn = config.rateLimit === 'auto' ? config.runMode === 'prod' : config.rateLimit === 'true';
  if (!isOn) return undefined;
  return {
    anonymous: { perSecond: config.anonymousPerSecond, burst: config.anonymousBurst },
    failedCredentials: { perSecond: config.failedCredentialsPerSecond, burst: config.failedCredentialsBurst },
    account: { perSecond: config.accountPerSecond, burst: config.accountBurst },
  };
}

/** If `limits` is undefined, the rate limiter counts and refuses nothing. */
export function createRateLimiter(limits: RateLimits | undefined, metrics: Metrics = noMetrics): RateLimiter {
  const refusals = metrics.counter({
    name: 'rate_limit_refusals_total', help: 'Requests refused by rate limits, by limit.', labels: ['policy'],
  });
  const none = (): undefined => undefined;
  if (!limits) return { anonymous: none, failedCredentials: none, hasFailedTooOften: () => false, account: none };
  const counting = <Key>(policy: string, buckets: TokenBuckets<Key>, whose: string) => {
    const refused = refusals.with({ policy });
    return (key: Key, countsAs?: number): Fault | undefined => {
      const taken = buckets.take(key, countsAs);
      if (taken.allowed) return undefined;
      refused.add();
      return refusal(policy, buckets.rate, taken, whose);
    };
  };
  const failures = new TokenBuckets<string>(limits.failedCredentials);
  const anonymous = counting('anonymous', new TokenBuckets<string>(limits.anonymous), 'from this address');
  const failedCredentials = counting('failed-credentials', failures, 'with refused credentials from this address');
  return {
    anonymous: (address) => anonymous(sourceOf(address)),
    failedCredentials: (address) => failedCredentials(sourceOf(address)),
    hasFailedTooOften: (address) => failures.isEmpty(sourceOf(address)),
    account: counting('account', new TokenBuckets<number>(limits.account), 'of this account'),
  };
}

/** The metadata follows draft-ietf-httpapi-ratelimit-headers-10: quota, window, remaining requests, time to reset. */
function refusal(policy: string, { perSecond, burst }: Rate, { left, seconds }: Taken, whose: string): Fault {
  return new Fault('RATE_LIMITED', `too many requests ${whose}, try again later`, {
    retryAfterSeconds: seconds,
    metadata: {
      rateLimit: `"${policy}";r=${left};t=${seconds}`,
      rateLimitPolicy: `"${policy}";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`,
    },
  });
}

/** Returns whether a request that fails with this fault counts as a request with refused credentials. */
export function isBadCredential({ reason }: Fault): boolean {
  return reason === 'UNAUTHENTICATED' || reason === 'ACCOUNT_DISABLED';
}

/**
 * Returns whether calls of a method count towards the rate limits. Requests for the platform's version, notifications
 * of marketplaces (open-points 1.9) and calls between services do not count.
 */
export function isRateLimited({ http, access }: Method): boolean {
  return access.who !== 'internal' && !unlimited.test(http?.template ?? '');
}

const unlimited = /^\/(?:marketplace\/)?api\/v1\/version\/?$|^\/marketplace\/.+\/notification\//;

/** Size of the largest body that counts as one request, in bytes. A larger body occupies the event loop for longer. */
export const smallBody = 64 * 1024;
/** In a body of more than {@link smallBody} bytes, each block of this many bytes counts as one request. */
const bytesOfRequest = 16 * 1024;
/** Largest number of values, such as the ids of a batch, that counts as one request. */
const smallBatch = 100;
/** In a batch of more than {@link smallBatch} values, each group of this many values counts as one request. */
const valuesOfRequest = 20;

/** Returns how many requests a request with this many values counts as (open-points 1.9). */
export function requestsOfValues(values: number): number {
  return values <= smallBatch ? 1 : Math.ceil(values / valuesOfRequest);
}

/** Returns how many requests a body of this size counts as (open-points 1.9). */
export function requestsOf(bytes: number): number {
  return bytes <= smallBody ? 1 : Math.ceil(bytes / bytesOfRequest);
}
