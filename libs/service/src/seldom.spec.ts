import { expect, it } from '@jest/globals';
import { seldom } from './seldom.ts';

it('tells the first of each kind, leaves out what follows, and then says how many those were', () => {
  let now = 0;
  const said = seldom(1_000, () => now);
  expect([said('one'), said('one'), said('other'), said('one')]).toEqual([0, undefined, 0, undefined]);
  now = 1_000;
  expect([said('one'), said('other'), said('one')]).toEqual([2, 0, undefined]);
});
