/**
 * A whole list, read part by part.
 * @param read answers the part that begins after `after`, and where the next one begins
 */
export async function allParts<Item>(
  read: (after: string | undefined) => Promise<readonly [items: readonly Item[], next: string | undefined]>,
): Promise<Item[]> {
  const all: Item[] = [];
  for (let after: string | undefined; ;) {
    const [items, next] = await read(after);
    all.push(...items);
    if (next === undefined) return all;
    after = next;
  }
}
