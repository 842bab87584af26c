import { copyFile, readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Rotates logs larger than `mostBytes`: `<part>.log` becomes `<part>.log.1`. The parts keep their files open for
 * appending. So the content is copied, then the file is truncated. A line that is written between the two steps is
 * lost.
 * @returns the names of the rotated files
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
