import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { CommandFault } from './command-fault.ts';

/** How to restore a file of the launcher. */
export const startAgain = 'Stop the platform and start it again, which writes this file again.';

/**
 * Replaces a file atomically. Only the owner may read the new file.
 * @param options `flush`: writes the content to the disk before the file is replaced
 */
export async function writePrivately(file: string, content: string, { flush = false } = {}): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, content, { mode: 0o600, flag: 'wx', flush });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Reads a JSON file that a command wrote. Returns undefined if there is no such file.
 * @param cure how to restore a damaged file
 * @throws CommandFault when the file cannot be read or is damaged. The message leaves out the content of the file,
 *   because the content may include secrets
 */
export async function readKept<Content>(
  file: string, isFit: (content: unknown) => content is Content, cure = startAgain,
): Promise<Content | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new CommandFault(`${file} cannot be read: ${error.message}`, 'Run the command as the owner of the file.');
  });
  if (text === undefined) return undefined;
  const content = parseJson(text);
  if (isFit(content)) return content;
  throw new CommandFault(`${file} does not have the content that the platform wrote`, cure);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string');
}
