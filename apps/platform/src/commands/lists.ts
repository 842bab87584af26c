import { CommandFault } from '../command-fault.ts';
import { step } from '../progress.ts';

/** @param read reads the part after the key `after`, or the first part. Returns the next key, if there is one */
export async function forEachPart(read: (after: string | undefined) => Promise<string | undefined>): Promise<void> {
  for (let after = await read(undefined); after !== undefined;) after = await read(after);
}

/** @param read returns the part after the key `after`, or the first part. Its `next` is the next key */
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
 * @param list the command that lists existing objects, such as `user list`
 * @throws CommandFault if nothing was found
 */
export function refuseMissing<Found>(found: Found | undefined, what: string, list: string): Found {
  if (found !== undefined) return found;
  throw new CommandFault(`there is no ${what}`, `See \`platform admin ${list}\`.`);
}
