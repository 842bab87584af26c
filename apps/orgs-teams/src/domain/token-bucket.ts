/** How much each key may do: `perSecond` on average, `burst` at once. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Counts by key. A key that asks for nothing costs nothing for long: full buckets are forgotten. */
export interface TokenBuckets {
  /** Takes one; answers 0 when it may go on, else the seconds after which it may ask again. */
  take(key: number, nowMs: number): number;
  /** Keys kept at the moment. */
  readonly size: number;
}

interface Bucket {
  left: number;
  at: number;
}

const sweepEvery = 10_000;

export function tokenBuckets({ perSecond, burst }: Rate): TokenBuckets {
  const buckets = new Map<number, Bucket>();
  let taken = 0;
  const refill = (bucket: Bucket, nowMs: number): void => {
    bucket.left = Math.min(burst, bucket.left + (Math.max(0, nowMs - bucket.at) * perSecond) / 1_000);
    bucket.at = nowMs;
  };
  const sweep = (nowMs: number): void => {
    for (const [key, bucket] of buckets) {
      refill(bucket, nowMs);
      if (bucket.left >= burst) buckets.delete(key);
    }
  };
  return {
    get size() {
      return buckets.size;
    },
    take: (key, nowMs) => {
      taken += 1;
      if (taken % sweepEvery === 0) sweep(nowMs);
      const bucket = buckets.get(key) ?? { left: burst, at: nowMs };
      buckets.set(key, bucket);
      refill(bucket, nowMs);
      if (bucket.left >= 1) {
        bucket.left -= 1;
        return 0;
      }
      return Math.max(1, Math.ceil((1 - bucket.left) / perSecond));
    },
  };
}
