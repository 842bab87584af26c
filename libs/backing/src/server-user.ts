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
 * Returns the user that must run PostgreSQL if this process runs as root, because PostgreSQL refuses root. The user is
 * `postgres`, or `nobody` if the machine has no user `postgres`. Returns undefined if this process does not run as
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
    'PostgreSQL refuses to run as root, and this machine has neither a user "postgres" nor a user "nobody".',
    'Add one of these users, start the platform as another user, or set PLATFORM_POSTGRES_URL to a running server.',
  );
}

/** Returns the owner of a folder; undefined if root owns the folder. */
export async function ownerOf(folder: string): Promise<ServerUser | undefined> {
  const { uid, gid } = await stat(folder);
  return uid === 0 ? undefined : { uid, gid };
}

/**
 * Returns whether the user can enter the folder, or execute the file, at `path`. Returns true if `user` is undefined.
 * Runs `test -x` as the user, because access depends on more than the mode bits.
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
