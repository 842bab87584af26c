import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ProcessPlan } from './server-plan.ts';

const run = promisify(execFile);

const SETPRIV = '/usr/bin/setpriv';
const TRIAL_MILLISECONDS = 5_000;

type Command = Pick<ProcessPlan, 'command' | 'args'>;

/**
 * Returns a command that runs the given command with the same pid, and to which the kernel sends `signal` when the
 * caller dies, even if the reaper died with the caller. Without `setpriv` (util-linux 2.33 or later), returns the given
 * command: then only the reaper watches the process, and the next start stops a process that is left.
 */
export async function tiedToCaller({ command, args }: Command, signal: NodeJS.Signals): Promise<Command> {
  if (!(await canTie())) return { command, args };
  return { command: SETPRIV, args: ['--pdeathsig', signal, command, ...args] };
}

let trial: Promise<boolean> | undefined;

/** Tries the option once, because other programs of this name (BusyBox) do not have it. */
function canTie(): Promise<boolean> {
  trial ??= run(SETPRIV, ['--pdeathsig', 'SIGTERM', SETPRIV, '--version'], { timeout: TRIAL_MILLISECONDS })
    .then(() => true, () => false);
  return trial;
}
