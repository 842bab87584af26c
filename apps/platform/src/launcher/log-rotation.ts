import { copyFile, readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Rotates logs larger than `mostBytes`: `<part>.log` becomes `<part>.log.1`. The parts keep their files open for
 * appending, so the content is copied and the file is truncated in place; a line written between the two is lost.
 * @returns the rotated files
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
