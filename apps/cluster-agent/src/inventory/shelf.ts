import type { Kept } from './read-objects.ts';

/** Holds the objects of one kind. A watch of the API server fills it. */
export interface Shelf<Item extends Kept> {
  fill(items: readonly Item[]): void;
  put(item: Item): void;
  remove(item: Item): void;
}

export type ShelfRules<Item extends Kept> = Pick<Shelf<Item>, 'put' | 'remove'>;

/** Remembers the objects of a kind, so that a new list of the objects can replace them. */
export function shelf<Item extends Kept>({ put, remove }: ShelfRules<Item>): Shelf<Item> {
  const items = new Map<string, Item>();
  const putOne = (item: Item): void => {
    put(item);
    items.set(item.uid, item);
  };
  const removeOne = (item: Item): void => {
    const known = items.get(item.uid);
    if (known === undefined) return;
    items.delete(item.uid);
    remove(known);
  };
  return {
    put: putOne, remove: removeOne,
    fill: (all) => {
      const there = new Set(all.map(({ uid }) => uid));
      for (const known of [...items.values()]) if (!there.has(known.uid)) removeOne(known);
      for (const item of all) putOne(item);
    },
  };
}
