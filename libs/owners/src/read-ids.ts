import type { Violation } from '@platform/rpc';
import { invalidValues, tooManyItems } from './faults.ts';

/** Most elements of a list in one call. */
export const mostItems = 1_000;

/**
 * Reads ids (of objects or accounts), each at least 1.
 * @throws Fault INVALID_VALUE, TOO_MANY_ITEMS
 */
export function idsFromMessage(path: string, ids: readonly number[]): readonly number[] {
  if (ids.length > mostItems) throw tooManyItems(path, mostItems);
  const violations = ids.flatMap((id, index) => (id >= 1 ? [] : [belowOne(`${path}[${index}]`)]));
  if (violations.length > 0) throw invalidValues(violations);
  return ids;
}

/**
 * Reads fields that are ids, each at least 1. A field that is not set counts as 0.
 * @throws Fault INVALID_VALUE that names all that are not
 */
export function idsFromFields<Name extends string>(
  fields: Readonly<Record<Name, number | undefined>>,
): Readonly<Record<Name, number>> {
  const entries = Object.entries<number | undefined>(fields).map(([name, id]) => [name, id ?? 0] as const);
  const violations = entries.flatMap(([name, id]) => (id >= 1 ? [] : [belowOne(name)]));
  if (violations.length > 0) throw invalidValues(violations);
  return Object.fromEntries(entries) as Record<Name, number>;
}

export function belowOne(path: string): Violation {
  return { path, message: 'must be at least 1' };
}
