import { randomBytes } from 'node:crypto';
import { link, open, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Creates a file with mode 0600 and syncs it to the disk. Does not change an existing file. */
export async function keepFile(file: string, content: string): Promise<void> {
  await createOnce(file, content, { mode: 0o600, flush: true });
  // The name of the file must also be on the disk before a caller relies on it.
  await using folder = await open(dirname(file));
  await folder.sync();
}

/**
 * Creates a file unless it exists. Returns whether this call created it. Writes the file under another name and then
 * links it, so an existing file is complete. If two processes create the file at the same time, one of them succeeds.
 */
export async function createOnce(
  file: string, content: string, options: { readonly mode?: number; readonly flush?: boolean } = {},
): Promise<boolean> {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, content, options);
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}
