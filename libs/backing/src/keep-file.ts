import { randomBytes } from 'node:crypto';
import { link, open, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Creates a file with mode 0600 and syncs it to the disk. Does not change an existing file. */
export async function keepFile(file: string, content: string): Promise<void> {
  await createOnce(file, content, { mode: 0o600, flush: true });
  // Sync the folder, too. Otherwise a crash of the machine could remove the new file from the folder.
  await using folder = await open(dirname(file));
  await folder.sync();
}

/**
 * Creates a file if it does not exist. Returns whether this call created the file. Writes a draft first and then links
 * the draft to the name of the file. So the file is never incomplete. If two processes create the file at the same
 * time, only one call returns true.
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
