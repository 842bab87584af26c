import { expect, test } from '@jest/globals';
import { TokenBuckets } from './token-buckets.ts';

test('a bucket allows its burst, then its rate, each key for itself', () => {
  let now = 0;
  const buckets = new TokenBuckets<string>({ perSecond: 2, burst: 3 }, () => now);
  const allowed = (key: string) => buckets.take(key).allowed;
  expect([allowed('a'), allowed('a'), allowed('a'), allowed('a'), allowed('b')]).toEqual([
    true,
    true,
    true,
    false,
    true,
  ]);
  expect(buckets.take('a')).toEqual({ allowed: false, left: 0, seconds: 1 });
  now = 500;
  expect([allowed('a'), allowed('a')]).toEqual([true, false]);
  now = 60_000;
  expect(buckets.take('a')).toEqual({ allowed: true, left: 2, seconds: 1 });
});

test('a request over the rest is let in and owed; a refused request is not owed', () => {
  let now = 0;
  const buckets = new TokenBuckets<string>({ perSecond: 2, burst: 30 }, () => now);
  expect(buckets.take('a', 37)).toEqual({ allowed: true, left: 0, seconds: 19 });
  expect(buckets.take('a', 37)).toEqual({ allowed: false, left: 0, seconds: 4 });
  now = 3_999;
  expect(buckets.take('a').allowed).toBe(false);
  now = 4_000;
  expect(buckets.take('a').allowed).toBe(true);
});
