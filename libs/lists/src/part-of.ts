import { encodePlace, orderBy } from './order.ts';
import type { Page } from './page.ts';
import { keysOf, type Listed } from './read-page.ts';

const byKey = orderBy({ column: 'key', kind: 'text' });

/**
 * Returns a part of a list that is not in PostgreSQL. Sorts the items by key, in ascending order of UTF-16 code units.
 * @param keyOf returns a text that is unique in the list
 * @throws Fault INVALID_PARAMETER if `after` cannot be decoded
 */
export function partOf<Item>(
  items: readonly Item[], keyOf: (item: Item) => string, { limit, offset, after }: Page,
): Listed<Item> {
  const keyed = items.map((item) => ({ item, key: keyOf(item) })).sort((a, b) => (a.key < b.key ? -1 : 1));
  const place = after === undefined ? undefined : keysOf(byKey, after)[0]!;
  const rest = place === undefined ? keyed.slice(offset) : keyed.filter(({ key }) => key > place);
  const part = rest.slice(0, limit);
  const last = rest.length > limit ? part.at(-1) : undefined;
  const next = last && encodePlace(JSON.stringify([last.key]));
  return { items: part.map(({ item }) => item), total: items.length, next };
}
