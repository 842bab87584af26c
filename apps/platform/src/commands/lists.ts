import { CommandFault } from '../command-fault.ts';
import { step } from '../progress.ts';

/**
 * Reads a list in parts.
 * @param read reads the part after the key `after`; without a key, the first part. Returns the key for the next part;
 *   undefined after the last part
 */
export async function forEachPart(read: (after: string | undefined) => Promise<string | undefined>): Promise<void> {
  for (let after = await read(undefined); after !== undefined;) after = await read(after);
}

/**
 * Reads a list in parts and returns all items.
 * @param read returns the part after the key `after`; without a key, the first part. In each part, `next` is the key
 *   for the next part
 */
export async function allParts<Part extends { readonly next?: string | undefined }, Item>(
  read: (after: string | undefined) => Promise<Part>, itemsOf: (part: Part) => readonly Item[],
): Promise<Item[]> {
  const reading = step('Reading the list');
  const all: Item[] = [];
  await forEachPart(async (after) => {
    const part = await read(after);
    all.push(...itemsOf(part));
    reading.reached(`${all.length} so far`);
    return part.next;
  });
  return all;
}

/**
 * @param list the command of `platform admin` that lists the existing objects, such as `user list`
 * @throws CommandFault if nothing was found
 */
export function refuseMissing<Found>(found: Found | undefined, what: string, list: string): Found {
  if (found !== undefined) return found;
  throw new CommandFault(`there is no ${what}`, `See \`platform admin ${list}\`.`);
}
