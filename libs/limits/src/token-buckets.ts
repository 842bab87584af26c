export interface Taken {
  readonly allowed: boolean;
  readonly left: number;
  /** Whole seconds, at least 1. If refused: until the next request is allowed. If allowed: until the bucket is full. */
  readonly seconds: number;
}

interface Bucket { readonly at: number; tokens: number }

export interface Rate { readonly perSecond: number; readonly burst: number }

/**
 * Maximum number of buckets. Above it, the least recently used bucket is dropped. Its key then starts with a full
 * bucket again.
 */
const mostBuckets = 100_000;

/** Token buckets, one per key, such as a source address or an account. */
export class TokenBuckets<Key> {
  readonly rate: Rate;
  readonly #now: () => number;
  readonly #buckets = new Map<Key, Bucket>();

  /** @param now returns milliseconds of a monotonic clock */
  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.rate = rate;
    this.#now = now;
  }

  /** Takes tokens if at least one is left. The balance becomes negative if fewer than `tokens` are left. */
  take(key: Key, tokens = 1): Taken {
    const bucket = this.#refilled(key);
    const allowed = bucket.tokens >= 1;
    const { perSecond, burst } = this.rate;
    if (allowed) bucket.tokens -= tokens;
    const missing = allowed ? burst - bucket.tokens : 1 - bucket.tokens;
    const seconds = Math.max(1, Math.ceil(missing / perSecond));
    return { allowed, left: Math.max(0, Math.floor(bucket.tokens)), seconds };
  }

  /** Returns whether the next {@link take} would be refused. */
  isEmpty(key: Key): boolean {
    return this.#buckets.has(key) && this.#refilled(key).tokens < 1;
  }

  #refilled(key: Key): Bucket {
    const now = this.#now();
    const { perSecond, burst } = this.rate;
    const known = this.#buckets.get(key);
    const tokens = known ? Math.min(burst, known.tokens + ((now - known.at) / 1000) * perSecond) : burst;
    const bucket = { tokens, at: now };
    // The bucket is removed and added again, so that the map keeps the order of use.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > mostBuckets) this.#buckets.delete(this.#buckets.keys().next().value!);
    return bucket;
  }
}
