import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { BackingFault } from './fault.ts';

const run = promisify(execFile);

export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the user that runs PostgreSQL, which refuses root: `postgres`, else `nobody`; undefined if the caller is not
 * root.
 * @throws BackingFault STATE_UNUSABLE if the machine has neither user
 */
export async function unprivilegedUser(): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = await readFile('/etc/passwd', 'utf8');
  for (const name of ['postgres', 'nobody']) {
    const fields = users.split('\n').find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields !== undefined) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new BackingFault(
    'STATE_UNUSABLE',
    'PostgreSQL does not run as root, and this machine has neither a user "postgres" nor a user "nobody".',
    'Add such a user, start as another user than root, or set PLATFORM_POSTGRES_URL.',
  );
}

/** Returns the owner of a folder; undefined if root owns the folder. */
export async function ownerOf(folder: string): Promise<ServerUser | undefined> {
  const { uid, gid } = await stat(folder);
  return uid === 0 ? undefined : { uid, gid };
}

/**
 * Returns whether this user can enter a folder or execute a file. Returns true without a user. Asks the system, because
 * access depends on more than the mode bits.
 */
export async function canReach(user: ServerUser | undefined, path: string): Promise<boolean> {
  if (user === undefined) return true;
  try {
    await run('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...user, cwd: '/', timeout: 5_000, env: {} });
    return true;
  } catch {
    return false;
  }
}
