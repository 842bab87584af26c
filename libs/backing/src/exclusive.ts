import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createOnce } from './keep-file.ts';
import { processIdentity } from './process-identity.ts';

interface Holder {
  readonly pid: number;
  readonly identity: string | undefined;
}

/**
 * Runs `work` while this process holds the lock file. Takes over a lock whose holder has ended. Two processes may take
 * over the same lock, so `work` must be safe to run in both at the same time.
 * @param waiting called about every 200 ms while another process holds the lock, with the pid of that process
 */
export async function exclusively<Result>(
  lockFile: string, work: () => Promise<Result>, waiting: (holder: number) => void, signal?: AbortSignal,
): Promise<Result> {
  await mkdir(dirname(lockFile), { recursive: true });
  const own: Holder = { pid: process.pid, identity: processIdentity(process.pid) };
  while (!(await createOnce(lockFile, JSON.stringify(own)))) {
    // Undefined if the lock was released meanwhile, or cannot be read.
    const holder = await readFile(lockFile, 'utf8').then(JSON.parse).catch(() => undefined) as Holder | undefined;
    if (holder !== undefined && processIdentity(holder.pid) !== holder.identity) {
      await rm(lockFile, { force: true });
      continue;
    }
    if (holder !== undefined) waiting(holder.pid);
    await pause(200, undefined, { signal });
  }
  try {
    return await work();
  } finally {
    await rm(lockFile, { force: true });
  }
}
