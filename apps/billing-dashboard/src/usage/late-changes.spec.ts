import { describe, expect, it } from '@jest/globals';
import { isBelated, isInTime, lowers, raiseBy } from './late-changes.ts';
import type { Use } from './version.ts';

const minute = 60_000_000;
const hour = 60 * minute;
const lateUs = 48 * hour;

it.each<[string, number, boolean]>([
  ['at its own time', 0, true], ['10 minutes after it', 10 * minute, true], ['later', 10 * minute + 1, false],
  ['10 minutes before it', -10 * minute, true],
])('a copy that arrives %s', (_, delay, isSo) => {
  expect(isInTime({ time: 1_000 * hour, receivedAt: 1_000 * hour + delay })).toBe(isSo);
});

it.each<[string, { delay: number; proven: number }, boolean]>([
  ['48 h late counts at its own time', { delay: lateUs, proven: Infinity }, false],
  ['later, before what is proven, is belated', { delay: lateUs + 1, proven: 1 }, true],
  ['later, at the moment that is proven, counts then', { delay: lateUs + 1, proven: 0 }, false],
  ['later, of an object of which nothing is proven, counts', { delay: lateUs + 1, proven: -Infinity }, false],
])('a copy that is %s', (_, { delay, proven }, isSo) => {
  const time = 1_000 * hour;
  expect(isBelated({ time, receivedAt: time + delay }, time + proven, lateUs)).toBe(isSo);
});

it.each<[string, [bigint, bigint], boolean]>([
  ['less of one amount', [1n, 9n], true], ['the same', [2n, 2n], false], ['more', [2n, 3n], false],
  ['less of the other', [9n, 1n], true],
])('%s of what counts', (_, [cpu, memory], isSo) => {
  expect(lowers({ cpu, memory }, { cpu: 2n, memory: 2n })).toBe(isSo);
});

/** A statement with the same amount of CPU and of memory. */
const said = (at: number, amount: number, mode = 'dev') =>
  ({ at, cpu: BigInt(amount), memory: BigInt(amount), mode, resourceTrial: false });
const used = (from: number, to: number, at: number, amount: number): Use => ({ from, to, version: said(at, amount, 'prod') });

describe('what belated events say', () => {
  // One object that used 2 units from 10 to 30 and from 40 to 50, reported by one event.
  const uses = [used(10, 30, 10, 2), used(40, 50, 10, 2)];
  const cases: [string, { at: number; until: number; amount: number }[], [number, number, number, string][]][] = [
    ['nothing', [], [[10, 30, 2, 'prod'], [40, 50, 2, 'prod']]],
    ['raises amounts, and leaves mode and what is behind', [{ at: 15, until: 20, amount: 3 }], [
      [10, 15, 2, 'prod'], [15, 20, 3, 'prod'], [20, 30, 2, 'prod'], [40, 50, 2, 'prod'],
    ]],
    ['lowers nothing', [{ at: 15, until: 20, amount: 1 }], [
      [10, 15, 2, 'prod'], [15, 20, 2, 'prod'], [20, 30, 2, 'prod'], [40, 50, 2, 'prod'],
    ]],
    ['counts where nothing is proven', [{ at: 32, until: 45, amount: 1 }], [
      [10, 30, 2, 'prod'], [32, 40, 1, 'dev'], [40, 45, 2, 'prod'], [45, 50, 2, 'prod'],
    ]],
    ['counts until the next event', [{ at: 5, until: 20, amount: 3 }], [
      [5, 10, 3, 'dev'], [10, 30, 2, 'prod'], [40, 50, 2, 'prod'],
    ]],
    ['counts until the next statement; of one time, the last one counts', [
      { at: 32, until: 40, amount: 3 }, { at: 34, until: 40, amount: 7 }, { at: 34, until: 36, amount: 4 },
    ], [[10, 30, 2, 'prod'], [32, 34, 3, 'dev'], [34, 36, 4, 'dev'], [40, 50, 2, 'prod']]],
  ];
  it.each(cases)('%s', (_, statements, expected) => {
    const late = statements.map(({ at, until, amount }) => ({ ...said(at, amount), until }));
    expect(raiseBy(uses, [{ at: 10 }], late).map(({ from, to, version: { cpu, memory, mode } }) => {
      expect(memory).toBe(cpu);
      return [from, to, Number(cpu), mode];
    })).toEqual(expected);
  });
});
