import { randomBytes } from 'node:crypto';
import { link, open, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a file that is kept forever, with mode 0600. An existing file stays unchanged. The file is written under
 * another name and then linked: after a crash it is complete or absent, and if two processes create it, one of them
 * wins.
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
  // The name of the file must also be on the disk before a caller relies on it.
  await using folder = await open(dirname(file));
  await folder.sync();
}
