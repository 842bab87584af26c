import { open } from 'node:fs/promises';

const tailBytes = 8_000;
const mostText = 1_000;

/**
 * Returns the last words (see `lastWords`) of a log file. Ignores the first `from` bytes, unless the file has become
 * shorter than that.
 */
export async function logTail(file: string, from: number): Promise<string> {
  await using handle = await open(file, 'r');
  const { size } = await handle.stat();
  const position = Math.max(size - tailBytes, from > size ? 0 : from);
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(tailBytes), position });
  return lastWords(buffer.toString('utf8', 0, bytesRead));
}

/**
 * Returns one line: the last fatal message of a structured log, else the last error that Node printed, else the end of
 * the text. Returns `(nothing logged)` if there is no text.
 */
export function lastWords(text: string): string {
  const lines = text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const fatal = lines.map(parseLine).findLast((line) => line?.level === 'fatal');
  // Node prints an uncaught error as `TypeError: message`.
  const plain = lines.findLast((line) => /^\w*Error\b.*: /.test(line)) ?? lines.join(' | ').slice(-mostText);
  const words = fatal === undefined ? plain : describe(fatal);
  return words === '' ? '(nothing logged)' : words;
}

interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly error?: { readonly message?: string };
  readonly problems?: readonly { readonly where: string; readonly found: string; readonly accepts: string }[];
}

function parseLine(line: string): LogLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const parsed = JSON.parse(line) as Partial<LogLine>;
    // Programs that are not services of the platform may log lines without `message`.
    return typeof parsed.message === 'string' ? parsed as LogLine : undefined;
  } catch {
    // The line is not JSON, for example because the text begins in the middle of a line.
    return undefined;
  }
}

function describe({ message, error, problems = [] }: LogLine): string {
  const texts = problems.map(({ where, found, accepts }) => `${where} ${found} (accepted: ${accepts})`);
  const details = [error?.message, ...texts].filter((text) => text !== undefined);
  return details.length === 0 ? message : `${message}: ${details.join('; ')}`;
}
