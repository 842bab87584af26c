import { expect, it } from '@jest/globals';
import { seldom } from './seldom.ts';

it('reports the first of each kind, leaves out what follows, and then says how many those were', () => {
  let now = 0;
  const said = seldom(1_000, () => now);
  expect([said('one'), said('one'), said('other'), said('one')]).toEqual([0, undefined, 0, undefined]);
  now = 1_000;
  expect([said('one'), said('other'), said('one')]).toEqual([2, 0, undefined]);
});

it('remembers a hundred kinds, the latest', () => {
  const said = seldom(1_000, () => 0);
  const kinds = Array.from({ length: 101 }, (_, number) => `kind ${number}`);
  kinds.forEach(said);
  expect(kinds.slice(1).map(said)).toEqual(kinds.slice(1).map(() => undefined));
  expect(said(kinds[0]!)).toBe(0);
});
