/** Random numbers that the same seed repeats exactly. */
export interface SeededRandom {
  /** A number in [0, 1). */
  next(): number;
  /** An integer in [from, to], both included. */
  integer(from: number, to: number): number;
  /** True with this probability, in [0, 1]. */
  chance(probability: number): boolean;
  /** Returns one of the items; throws a RangeError if there are none. */
  pick<T>(items: readonly T[]): T;
  /** Returns a copy in random order; each order is equally likely. */
  shuffle<T>(items: readonly T[]): T[];
}

/**
 * A generator whose numbers depend only on the seed (mulberry32: 32 bits of state, passes gjrand's small tests, enough
 * to choose test cases; not for secrets).
 * @param seed any number or text; a text is folded to 32 bits (FNV-1a).
 */
export function seeded(seed: number | string): SeededRandom {
  let state = typeof seed === 'number' ? seed >>> 0 : fold(seed);

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  function integer(from: number, to: number): number {
    return from + Math.floor(next() * (to - from + 1));
  }

  function pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('Nothing to pick from: the list is empty.');
    return items[integer(0, items.length - 1)] as T;
  }

  function shuffle<T>(items: readonly T[]): T[] {
    const copy = [...items];
    for (let last = copy.length - 1; last > 0; last--) {
      const chosen = integer(0, last);
      [copy[last], copy[chosen]] = [copy[chosen] as T, copy[last] as T];
    }
    return copy;
  }

  return { next, integer, chance: (probability) => next() < probability, pick, shuffle };
}

function fold(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
