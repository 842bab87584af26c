import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processIdentity } from '@platform/backing/process-identity';
import { pause } from '@platform/service/basics';
import { CommandFault } from './command-fault.ts';

/** Number of attempts to claim a folder. If two processes try at the same moment, both attempts can fail. */
const attempts = 5;

/**
 * Gives this process the exclusive right to run on a state folder.
 *
 * A claim is an empty file in `launchers/`, named after the pid and the start time of a process. The claim is void once
 * the process has ended, also after a kill. A process holds the folder if it creates its file and then finds no other
 * valid claim. So at most one of several processes holds the folder.
 * @param what name of the program that runs on the folder, for the message
 * @throws CommandFault when another process runs on this folder
 */
export async function claimState(
  home: string, what = 'platform',
): Promise<AsyncDisposable & { release(): Promise<void> }> {
  const folder = join(home, 'launchers');
  const own = join(folder, claimName(process.pid, processIdentity(process.pid)!));
  for (let attempt = 1; ; attempt += 1) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(own, '', { mode: 0o600 });
    const [other] = (await livingClaims(folder)).filter((pid) => pid !== process.pid);
    const release = (): Promise<void> => rm(own, { force: true });
    if (other === undefined) return { release, [Symbol.asyncDispose]: release };
    await release();
    if (attempt === attempts) {
      const cure = 'Stop it with Ctrl-C where it runs, or set PLATFORM_HOME to another folder.';
      throw new CommandFault(`A ${what} already runs with the state folder ${home} (pid ${other})`, cure);
    }
    await pause(20 + Math.random() * 80);
  }
}

/** Returns the pid of the launcher that runs on a state folder; undefined if there is no launcher. */
export async function runningLauncher(home: string): Promise<number | undefined> {
  return (await livingClaims(join(home, 'launchers')))[0];
}

async function livingClaims(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const living: number[] = [];
  for (const name of names) {
    const pid = Number(name.split('.', 1)[0]);
    const identity = processIdentity(pid);
    if (identity !== undefined && claimName(pid, identity) === name) living.push(pid);
    else await rm(join(folder, name), { force: true });
  }
  return living;
}

function claimName(pid: number, identity: string): string {
  return `${pid}.${identity.replaceAll(/[^A-Za-z0-9-]/g, '_')}`;
}
