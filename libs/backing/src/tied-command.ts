import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where util-linux installs it. */
const SETPRIV = '/usr/bin/setpriv';
const TRIAL_MILLISECONDS = 5_000;

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The same command, run so that the kernel sends it `signal` when the caller dies, also when the reaper died with it.
 * The process is the command's own, with its pid. Where `setpriv` (util-linux 2.33 or later) is missing, the command is
 * returned as it is: then only the reaper watches, and the next start stops what is left.
 */
export async function tiedToCaller({ command, args }: Command, signal: NodeJS.Signals): Promise<Command> {
  if (!(await canTie())) return { command, args };
  return { command: SETPRIV, args: ['--pdeathsig', signal, command, ...args] };
}

let trial: Promise<boolean> | undefined;

/** Asks the program itself, once: other programs of that name (BusyBox) do not have the option. */
function canTie(): Promise<boolean> {
  trial ??= run(SETPRIV, ['--pdeathsig', 'SIGTERM', SETPRIV, '--version'], { timeout: TRIAL_MILLISECONDS })
    .then(() => true, () => false);
  return trial;
}
