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
