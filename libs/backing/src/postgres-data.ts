import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, chmod, chown, mkdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BackingFault } from './fault.ts';
import { keepFile } from './keep-file.ts';
import { processIdentity, stopProcess } from './process-identity.ts';
import { canReach, ownerOf, unprivilegedUser, type ServerUser } from './server-user.ts';
import { locationFile, readLocation, type State } from './state.ts';

const run = promisify(execFile);

/** Folder for PostgreSQL's data if PostgreSQL's user cannot enter the state folder. */
const ELSEWHERE = '/var/lib/platform';
const INITDB_MILLISECONDS = 120_000;

interface PostgresPlace {
  readonly data: string;
  /** The user that owns the data and runs PostgreSQL. Undefined: the user of this process. */
  readonly user: ServerUser | undefined;
}

/**
 * Returns where the data of PostgreSQL is, or where it is to be created. Existing data stays in its place. The place of
 * new data is in the state folder. If PostgreSQL's user cannot enter the state folder, creates a folder in
 * /var/lib/platform for new data. A file in the state folder then names the created folder.
 * @throws BackingFault STATE_UNUSABLE
 */
export async function postgresPlace(state: State): Promise<PostgresPlace> {
  const user = await unprivilegedUser();
  const elsewhere = await readLocation(state);
  const data = join(elsewhere ?? state.postgres, 'data');
  if (await exists(data)) return { data, user: user && ((await ownerOf(data)) ?? user) };
  if (elsewhere !== undefined || (await canReach(user, state.postgres))) return { data, user };

  const folder = join(ELSEWHERE, randomBytes(8).toString('hex'));
  await mkdir(folder, { recursive: true });
  for (const path of [ELSEWHERE, folder]) await chmod(path, 0o711);
  await writeFile(join(folder, 'state'), `${state.home}\n`);
  await keepFile(locationFile(state), `${folder}\n`);
  return { data: join(folder, 'data'), user };
}

/**
 * Runs initdb if there is no data. initdb works in a draft folder, which is renamed at the end. So existing data is
 * complete.
 * @throws BackingFault STATE_UNUSABLE; the reason of an aborted signal
 */
export async function initialize(
  { data, user }: PostgresPlace, binaries: string, password: string,
  { volatile, signal }: { volatile: boolean | undefined; signal: AbortSignal | undefined },
): Promise<void> {
  if (await exists(data)) return;
  const draft = `${data}.draft`;
  const passwordFile = `${data}.password`;
  try {
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (user !== undefined) for (const path of [draft, passwordFile]) await chown(path, user.uid, user.gid);
    await run(join(binaries, 'initdb'), [
      `--pgdata=${draft}`, '--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8',
      // The builtin C.UTF-8 of PostgreSQL sorts in the same order on every machine, independent of the C library.
      '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', ...(volatile ? ['--no-sync'] : []),
    ], { ...user, cwd: '/', env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' }, timeout: INITDB_MILLISECONDS, signal });
    await rename(draft, data);
  } catch (error) {
    signal?.throwIfAborted();
    const { stderr, message } = error as Error & { stderr?: string };
    const why = (stderr || message).trim().replaceAll(/\s*\n\s*/g, ' | ');
    const cure = 'Remove the cause, such as a full disk, or set PLATFORM_HOME to another folder.';
    const what = `PostgreSQL's data could not be created in ${data}: ${why}`;
    throw new BackingFault('STATE_UNUSABLE', what, cure, { cause: error });
  } finally {
    await rm(passwordFile, { force: true });
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * On Linux, stops a PostgreSQL server that still runs on the data. The pid in postmaster.pid may meanwhile belong to
 * another process. So the process is stopped only if its working folder is the data folder.
 */
export async function stopOrphan(data: string, graceMilliseconds: number): Promise<void> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  if (!(pid > 0)) return;
  const identity = processIdentity(pid);
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  if (identity === undefined || folder !== data) return;
  await stopProcess({ pid, identity, stopSignal: 'SIGINT', graceMilliseconds });
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(() => true, () => false);
}
