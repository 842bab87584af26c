import { Fault } from '@platform/faults';
import { type Config, type Metrics, noMetrics } from '@platform/service';
import type { Method } from '@platform/surface';
import { sourceOf } from './source-address.ts';
import { type Rate, type Taken, TokenBuckets } from './token-buckets.ts';

/** Rates of open-points 1.9. */
export interface RateLimits {
  /** Per source: an IPv4 address, or an IPv6 network ({@link sourceOf}). */
  readonly anonymous: Rate;
  /** Per source. */
  readonly failedCredentials: Rate;
  /** Per account, where its token is resolved. */
  readonly account: Rate;
}

/**
 * Counts requests, each replica for itself; addresses by their {@link sourceOf}. A refusal is a fault with the headers
 * to send.
 */
export interface RateLimiter {
  /** Counts a request without credentials. */
  anonymous(address: string): Fault | undefined;
  /** Counts a request whose credentials were refused; only such requests are ever refused by it. */
  failedCredentials(address: string): Fault | undefined;
  /** Whether {@link failedCredentials} would refuse the next such request. */
  hasFailedTooOften(address: string): boolean;
  /** Counts a request of an account. @param countsAs so many requests, see {@link requestsOf} */
  account(id: number, countsAs?: number): Fault | undefined;
}

/** The settings of a process that limits rates. */
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

/** The limits that are set; undefined where they are off. `auto`: on in run mode `prod` (open-points 15). */
export function rateLimitsOf(config: Config<typeof ratePicks>): RateLimits | undefined {
  const isOn = config.rateLimit === 'auto' ? config.runMode === 'prod' : config.rateLimit === 'true';
  if (!isOn) return undefined;
  return {
    anonymous: { perSecond: config.anonymousPerSecond, burst: config.anonymousBurst },
    failedCredentials: { perSecond: config.failedCredentialsPerSecond, burst: config.failedCredentialsBurst },
    account: { perSecond: config.accountPerSecond, burst: config.accountBurst },
  };
}

/** Undefined limits switch it off. */
export function createRateLimiter(limits: RateLimits | undefined, metrics: Metrics = noMetrics): RateLimiter {
  const refusals = metrics.counter({
    name: 'rate_limit_refusals_total',
    help: 'Requests refused by rate limits, by limit.',
    labels: ['policy'],
  });
  if (!limits) {
    return {
      anonymous: () => undefined,
      failedCredentials: () => undefined,
      hasFailedTooOften: () => false,
      account: () => undefined,
    };
  }
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
  const failedCredentials = counting('failed-credentials', failures, 'from this address');
  return {
    anonymous: (address) => anonymous(sourceOf(address)),
    failedCredentials: (address) => failedCredentials(sourceOf(address)),
    hasFailedTooOften: (address) => failures.isEmpty(sourceOf(address)),
    account: counting('account', new TokenBuckets<number>(limits.account), 'of this account'),
  };
}

/** The fields of draft-ietf-httpapi-ratelimit-headers (10): quota and window, what remains and when there is more. */
function refusal(policy: string, { perSecond, burst }: Rate, { left, seconds }: Taken, whose: string): Fault {
  return new Fault('RATE_LIMITED', `too many requests ${whose}, try again later`, {
    retryAfterSeconds: seconds,
    metadata: {
      rateLimit: `"${policy}";r=${left};t=${seconds}`,
      rateLimitPolicy: `"${policy}";q=${burst};w=${Math.max(1, Math.ceil(burst / perSecond))}`,
    },
  });
}

/** Whether a fault counts as failed credentials: nobody has the token, or its account may not sign in. */
export function isBadCredential({ reason }: Fault): boolean {
  return reason === 'UNAUTHENTICATED' || reason === 'ACCOUNT_DISABLED';
}

/** Versions and the notifications of marketplaces are not counted (open-points 1.9), nor are calls between services. */
export function isRateLimited({ http, access }: Method): boolean {
  return access.who !== 'internal' && !unlimited.test(http?.template ?? '');
}

const unlimited = /^\/(?:marketplace\/)?api\/v1\/version\/?$|^\/marketplace\/.+\/notification\//;

/** Bytes of a message or body that are read at once and count as one request. More keep the event loop for long. */
export const smallBody = 64 * 1024;

/** Of a larger body as many bytes count as a request. */
const bytesOfRequest = 16 * 1024;

/** Values of a request that count as one request, such as the ids of a batch; and of more values, as many do. */
const smallBatch = 100;
const valuesOfRequest = 20;

/** As how many requests of its account a request with so many values counts (open-points 1.9). */
export function requestsOfValues(values: number): number {
  return values <= smallBatch ? 1 : Math.ceil(values / valuesOfRequest);
}

/** As how many requests of its account a body counts (open-points 1.9). */
export function requestsOf(bytes: number): number {
  return bytes <= smallBody ? 1 : Math.ceil(bytes / bytesOfRequest);
}
