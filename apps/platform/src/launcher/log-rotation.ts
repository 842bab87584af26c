import { copyFile, readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Puts logs aside that have grown beyond `mostBytes`: `<part>.log` becomes `<part>.log.1`, replacing an older one.
 *
 * The parts hold the files open for appending, so the content is copied and the file cut to nothing in place; a line
 * written between the two is lost.
 * @returns the files put aside
 */
export async function rotateLogs(folder: string, mostBytes: number): Promise<string[]> {
  const rotated: string[] = [];
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.log')) continue;
    const file = join(folder, name);
    const { size } = await stat(file);
    if (size <= mostBytes) continue;
    await copyFile(file, `${file}.1`);
    await truncate(file);
    rotated.push(name);
  }
  return rotated;
}
