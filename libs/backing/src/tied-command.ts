import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ProcessPlan } from './server-plan.ts';

const run = promisify(execFile);

const SETPRIV = '/usr/bin/setpriv';
const TRIAL_MILLISECONDS = 5_000;

type Command = Pick<ProcessPlan, 'command' | 'args'>;

/**
 * Returns a command that runs the given command through `setpriv`. The kernel then sends `signal` to the new process
 * when its parent process dies. Returns the given command unchanged if `setpriv` is missing or does not support this.
 */
export async function tiedToCaller({ command, args }: Command, signal: NodeJS.Signals): Promise<Command> {
  if (!(await canTie())) return { command, args };
  return { command: SETPRIV, args: ['--pdeathsig', signal, command, ...args] };
}

let trial: Promise<boolean> | undefined;

/** Returns whether `setpriv` supports `--pdeathsig`. The `setpriv` of BusyBox may not. */
function canTie(): Promise<boolean> {
  trial ??= run(SETPRIV, ['--pdeathsig', 'SIGTERM', SETPRIV, '--version'], { timeout: TRIAL_MILLISECONDS })
    .then(() => true, () => false);
  return trial;
}
