import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';

/** The repository's root. */
export const root = join(import.meta.dirname, '../..');

/** Result of a command. `code` is null if a signal ended it. `output` is empty if the command printed directly. */
export interface CommandResult {
  code: number | null;
  output: string;
}

const running = new Set<ReturnType<typeof spawn>>();

export interface RunOptions {
  /** `stream`: the command prints directly. `keep`: the output is returned. */
  readonly show: 'stream' | 'keep';
  readonly environment?: Readonly<Record<string, string>>;
  /** 0 to 19. A higher value means a lower priority. */
  readonly niceness?: number;
}

/**
 * Runs a command of this repository with the Node that runs this script.
 *
 * @param args the arguments of `node`.
 */
export function runNode(
  args: readonly string[],
  { show, environment = {}, niceness = 0 }: RunOptions,
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: show === 'stream' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness);
    running.add(child);
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', reject);
    child.once('close', (code) => {
      running.delete(child);
      resolve({ code, output });
    });
  });
}

/** Forwards a signal to all running commands. */
export function passOn(signal: NodeJS.Signals): void {
  for (const child of running) {
    child.kill(signal);
  }
}
