import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { once } from './servers/once.ts';

const run = promisify(execFile);

/** Mounts a disk of the given size (a tmpfs) on a folder. The returned function removes the disk with all its files. */
export async function smallDisk(folder: string, bytes: number): Promise<() => Promise<void>> {
  await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0711`, 'tmpfs', folder]);
  return async () => void (await run('umount', [folder]));
}

/** Fills the disk of a folder to the last byte. The returned function frees the space again. */
export async function fillDisk(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, `filler-${randomUUID()}`);
  const block = Buffer.alloc(1024 * 1024);
  await using file = await open(path, 'w');
  for (let size = block.length; size >= 1;) {
    const isWritten = await file.write(block, 0, size).then(({ bytesWritten }) => bytesWritten > 0, () => false);
    if (!isWritten) size = Math.floor(size / 2);
  }
  return () => rm(path);
}

/** Whether {@link smallDisk} works here. It needs root, and privileges that containers usually lack. */
export const mayMount = once(async (): Promise<boolean> => {
  const folder = await mkdtemp(join(tmpdir(), 'platform-mount-'));
  try {
    await (await smallDisk(folder, 4_096))();
    return true;
  } catch {
    return false;
  } finally {
    await rmdir(folder);
  }
});
