import { open } from 'node:fs/promises';

const tailBytes = 1_500;

/** The end of what was logged since `from` (a size in bytes), on one line. */
export async function logTail(file: string, from: number): Promise<string> {
  await using handle = await open(file, 'r');
  const { size } = await handle.stat();
  const start = Math.max(size - tailBytes, from > size ? 0 : from);
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(tailBytes), position: start });
  const text = buffer.toString('utf8', 0, bytesRead).trim().replaceAll(/\s*\n\s*/g, ' | ');
  return text === '' ? '(nothing logged)' : text;
}
