/** What a bucket says of one request. */
export interface Taken {
  readonly allowed: boolean;
  /** Whole requests left. */
  readonly left: number;
  /** Whole seconds until one more is there (when refused), or until the bucket is full. */
  readonly seconds: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** A rate with a burst. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Most buckets kept; beyond it the longest unused goes, which can only help its owner. */
const mostBuckets = 100_000;

/** One token bucket per key: a source address, an account. */
export class TokenBuckets<Key> {
  readonly rate: Rate;
  readonly #now: () => number;
  readonly #buckets = new Map<Key, Bucket>();

  /** @param now milliseconds of a monotonic clock */
  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.rate = rate;
    this.#now = now;
  }

  /** Takes tokens if one is left: also more than are left, which the key owes then. */
  take(key: Key, tokens = 1): Taken {
    const bucket = this.#refilled(key);
    const allowed = bucket.tokens >= 1;
    const { perSecond, burst } = this.rate;
    if (allowed) bucket.tokens -= tokens;
    const missing = allowed ? burst - bucket.tokens : 1 - bucket.tokens;
    const seconds = Math.max(1, Math.ceil(missing / perSecond));
    return { allowed, left: Math.max(0, Math.floor(bucket.tokens)), seconds };
  }

  /** Whether the next {@link take} would be refused. */
  isEmpty(key: Key): boolean {
    return this.#buckets.has(key) && this.#refilled(key).tokens < 1;
  }

  #refilled(key: Key): Bucket {
    const now = this.#now();
    const { perSecond, burst } = this.rate;
    const known = this.#buckets.get(key);
    const tokens = known ? Math.min(burst, known.tokens + ((now - known.at) / 1000) * perSecond) : burst;
    const bucket = { tokens, at: now };
    // Taken out and put in again, so that the map's order is the order of use.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > mostBuckets) this.#buckets.delete(this.#buckets.keys().next().value!);
    return bucket;
  }
}
