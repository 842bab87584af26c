/** Limits for callers and source addresses: request rates, concurrent work, memory, and unread answers. */
export { type CallerLimiter, createCallerLimiter } from './caller-limiter.ts';
export { CallersMemory } from './memory.ts';
export {
  createRateLimiter, isBadCredential, isRateLimited, type RateLimiter, type RateLimits, rateLimitsOf, ratePicks,
  requestsOf, requestsOfValues, smallBody,
} from './rate-limit.ts';
export { type SourceAddress, sourceAddressBy, sourceOf } from './source-address.ts';
export { type Rate, type Taken, TokenBuckets } from './token-buckets.ts';
export { UnreadAnswers } from './unread.ts';
