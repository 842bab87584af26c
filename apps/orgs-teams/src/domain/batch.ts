import { tooManyItems } from '../faults.ts';
import type { TextRules } from './text-rules.ts';

/** Most items of one batch. */
export const mostItems = 1_000;

/** @throws Fault TOO_MANY_ITEMS */
export function refuseTooMany(path: string, items: readonly unknown[]): void {
  if (items.length > mostItems) throw tooManyItems(`${path} can have at most ${mostItems} items in one call`);
}

/** Notes each name of a batch that an earlier item has already, ignoring case. */
export function noteTwins(rules: TextRules, names: readonly string[], pathOf: (index: number) => string): void {
  const known = new Set<string>();
  for (const [index, name] of names.entries()) {
    const key = name.toLowerCase();
    if (known.has(key)) rules.note(pathOf(index), 'is given twice');
    known.add(key);
  }
}
