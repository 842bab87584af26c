import { CommandFault } from '../command-fault.ts';

/**
 * Reads a whole list part by part.
 * @param read returns the part that begins after `after`, and where the next one begins
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

/**
 * @param list the command that lists existing ones, such as `user list`
 * @throws CommandFault if nothing was found
 */
export function refuseMissing<Found>(found: Found | undefined, what: string, list: string): Found {
  if (found !== undefined) return found;
  throw new CommandFault(`there is no ${what}`, `See \`platform admin ${list}\`.`);
}
