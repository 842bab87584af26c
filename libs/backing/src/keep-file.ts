import { randomBytes } from 'node:crypto';
import { link, open, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a file that is kept for good, 0600; one that is there stays. Written beside and linked into place: whole or
 * absent whatever happens, and of two makers one wins.
 */
export async function keepFile(file: string, content: string): Promise<void> {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, content, { mode: 0o600, flush: true });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  // Its name too must be on the disk before anybody relies on it.
  await using folder = await open(dirname(file));
  await folder.sync();
}
