import { describe, expect, it } from '@jest/globals';
import { tokenBuckets } from './token-bucket.ts';

describe('token buckets', () => {
  it('let a burst pass, then the average', () => {
    const buckets = tokenBuckets({ perSecond: 2, burst: 3 });
    expect([0, 0, 0, 0].map(() => buckets.take(1, 1_000))).toEqual([0, 0, 0, 1]);
    expect(buckets.take(1, 1_500)).toBe(0);
    expect(buckets.take(1, 1_500)).toBe(1);
  });

  it('count each key for itself', () => {
    const buckets = tokenBuckets({ perSecond: 1, burst: 1 });
    expect(buckets.take(1, 0)).toBe(0);
    expect(buckets.take(2, 0)).toBe(0);
    expect(buckets.take(1, 0)).toBe(1);
  });

  it('never hold more than a burst', () => {
    const buckets = tokenBuckets({ perSecond: 1_000, burst: 2 });
    buckets.take(1, 0);
    expect([0, 0, 0].map(() => buckets.take(1, 1_000_000))).toEqual([0, 0, 1]);
  });

  it('forget keys that have nothing to remember', () => {
    const buckets = tokenBuckets({ perSecond: 1, burst: 1 });
    for (let key = 0; key < 9_999; key += 1) buckets.take(key, 0);
    expect(buckets.size).toBe(9_999);
    buckets.take(0, 10_000);
    expect(buckets.size).toBe(1);
  });
});
