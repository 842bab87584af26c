import { describe, expect, it } from '@jest/globals';
import { holding, seeded, shareOf } from '@platform/testing';
import { endlessWorld, mistakes, worldOf } from './fixtures/cases.ts';
import { searchAll, walk } from './fixtures/search.ts';
import * as proof from './leases.proof.ts';

it('a kept answer is not used after its revocation was acknowledged (a share of the proof leases)', async () => {
  expect(await shareOf(proof, 0.002)).toEqual(holding);
}, 300_000);

describe.each(mistakes)('a holder or a change that $name', ({ name, rules, world }) => {
  it('is found by the search', () => {
    expect(searchAll(worldOf({ name, ...world }, rules)).stale).toEqual(expect.any(Array));
  });
});

it.each([
  ['keeps what was told while a read was under way', { keeps: () => true }],
  ['lets a later request join a read', { joins: () => true }],
  ['answers a repeat at once', { repeatsAtOnce: true }],
])('random steps find the mistake that %s, too', (_what, rules) => {
  const worlds = Array.from({ length: 10 }, (_, world) => () => walk(endlessWorld(rules), seeded(world), 20_000).stale);
  expect(worlds.some((steps) => steps() !== undefined)).toBe(true);
});
