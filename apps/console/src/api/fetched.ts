import { basePath } from './page.ts';

/** Code of the console could not be fetched, because the gateway is unavailable. */
export class CodeAway extends TypeError {}

/**
 * Fetches code of the console.
 * @throws CodeAway if the code cannot be fetched and the gateway is unavailable; Error with the browser's message if
 *   the fetch fails for another reason, for example because a newer build does not have the file
 */
export async function fetched<M>(load: () => Promise<M>): Promise<M> {
  try {
    return await load();
  } catch (error) {
    if (await isThere()) throw new Error((error as Error).message, { cause: error });
    throw new CodeAway('The platform does not answer.');
  }
}

async function isThere(): Promise<boolean> {
  try {
    return (await fetch(`${basePath}/`, { method: 'HEAD' })).status < 500;
  } catch {
    return false;
  }
}
