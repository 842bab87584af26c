import { tooManyItems } from '@platform/faults';
import type { Violations } from './violations.ts';

/** Default maximum number of items in one call (open-points 1.9). */
export const mostItems = 1_000;

/** @throws Fault TOO_MANY_ITEMS */
export function refuseTooMany(path: string, items: readonly unknown[], most: number = mostItems): void {
  if (items.length > most) throw tooManyItems(path, most);
}

/** Notes a violation for each key that equals an earlier key, ignoring case. */
export function noteDuplicates(
  violations: Violations, keys: readonly string[], pathOf: (index: number) => string,
): void {
  const first = new Map<string, number>();
  for (const [index, key] of keys.map((key) => key.toLowerCase()).entries()) {
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    else violations.note(pathOf(index), `is the same as ${pathOf(earlier)}, ignoring case`);
  }
}
