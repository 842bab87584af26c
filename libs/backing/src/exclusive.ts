import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processIdentity } from './process-identity.ts';

interface Holder {
  readonly pid: number;
  readonly identity: string | undefined;
}

/**
 * Runs `work` while no other process does so under the same lock file. A lock whose holder has ended is taken over. Use
 * it only for work that may be done twice: if two processes find the same dead holder at the same moment, both may run.
 * @param waiting called every 200 ms while another process holds the lock, with the pid of that process
 */
export async function exclusively<Result>(
  lockFile: string,
  work: () => Promise<Result>,
  waiting: (holder: number) => void,
  signal?: AbortSignal,
): Promise<Result> {
  await mkdir(dirname(lockFile), { recursive: true });
  while (!(await take(lockFile))) {
    const holder = await readHolder(lockFile);
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

/**
 * Takes the lock if it is free. The file is written under another name and then linked, so that it always names its
 * holder.
 */
async function take(lockFile: string): Promise<boolean> {
  const draft = `${lockFile}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const holder: Holder = { pid: process.pid, identity: processIdentity(process.pid) };
  await writeFile(draft, JSON.stringify(holder));
  try {
    await link(draft, lockFile);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(draft);
  }
}

async function readHolder(lockFile: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(lockFile, 'utf8')) as Holder;
  } catch {
    // Released meanwhile.
    return undefined;
  }
}
