import { open, readFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import type { Readiness } from './health.ts';
import type { Logger } from './log.ts';
import { loop, type Loop } from './retry.ts';

const lookMs = 2_000;

/**
 * Logs when this process has no file handle left, and when it has handles again. Also adds a readiness check, because
 * each new connection needs a handle.
 */
export function watchFileHandles({ log, readiness }: { readonly log: Logger; readonly readiness: Readiness }): Loop {
  const take = async (): Promise<void> => (await open(devNull)).close();
  readiness.needs('file handles', take);
  let areLeft = true;
  return loop('file-handles', lookMs, async () => {
    const error: unknown = await take().catch((reason: unknown) => reason);
    if ((error === undefined) === areLeft) return;
    areLeft = !areLeft;
    if (areLeft) log.warn({}, 'file handles are available again');
    else log.error({ error }, 'no file handle is left: new connections are closed and files cannot be opened');
  }, log);
}

/** Maximum number of open file handles of this process; `Infinity` if unlimited or not known. */
export async function mostFileHandles(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
}
