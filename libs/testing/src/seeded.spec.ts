import { describe, expect, it } from '@jest/globals';
import { seeded } from './seeded.ts';

const sample = (seed: number | string): number[] => {
  const random = seeded(seed);
  return Array.from({ length: 1_000 }, () => random.next());
};

describe('seeded random numbers', () => {
  it('repeat with the seed and differ without it', () => {
    expect(sample(7)).toEqual(sample(7));
    expect(sample('seven')).toEqual(sample('seven'));
    expect(new Set([sample(7)[0], sample(8)[0], sample('seven')[0]]).size).toBe(3);
  });

  it('lie in [0, 1) and spread evenly', () => {
    const tenths = new Array<number>(10).fill(0);
    for (const value of sample(1)) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(1);
      const tenth = Math.floor(value * 10);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    // 1,000 draws over ten tenths: ±4.2 standard deviations.
    expect(Math.min(...tenths)).toBeGreaterThan(60);
    expect(Math.max(...tenths)).toBeLessThan(140);
  });

  it('give integers that include both ends', () => {
    const random = seeded(3);
    const drawn = new Set(Array.from({ length: 200 }, () => random.integer(-1, 1)));
    expect([...drawn].sort((a, b) => a - b)).toEqual([-1, 0, 1]);
  });

  it('come true as often as they should', () => {
    const random = seeded(4);
    const often = Array.from({ length: 1_000 }, () => random.chance(0.25)).filter(Boolean).length;
    // ±4.4 standard deviations
    expect(often).toBeGreaterThan(190);
    expect(often).toBeLessThan(310);
    expect([random.chance(0), random.chance(1)]).toEqual([false, true]);
  });

  it('shuffle without loss, and pick only what is there', () => {
    const random = seeded(5);
    const items = Array.from({ length: 50 }, (_, index) => index);
    const shuffled = random.shuffle(items);
    expect(shuffled).not.toEqual(items);
    expect([...shuffled].sort((a, b) => a - b)).toEqual(items);
    expect(items).toContain(random.pick(items));
    expect(() => random.pick([])).toThrow(RangeError);
  });
});
