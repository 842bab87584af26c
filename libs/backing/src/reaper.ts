import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

/**
 * A small process beside the launcher. When the launcher ends for any reason, the reaper stops the processes that are
 * still registered. It sends the stop signal, and SIGKILL after the grace period. Then the reaper ends.
 */
export interface Reaper extends AsyncDisposable {
  readonly pid: number;
  /** Registers a process by its pid and start time. A later process with the same pid is not stopped. */
  register(pid: number, stopSignal: NodeJS.Signals, graceMilliseconds: number): void;
  /** Removes the registration of a process that has ended, or that the reaper must no longer stop. */
  forget(pid: number): void;
  /** Stops all processes that are still registered, then ends the reaper. Resolves when the reaper has ended. */
  close(): Promise<void>;
}

/** A message from the launcher to the reaper: one line of JSON on the reaper's standard input. */
export type ReaperMessage =
  | { readonly register: number; readonly stopSignal: NodeJS.Signals; readonly graceMilliseconds: number }
  | { readonly forget: number };

const PROGRAM = fileURLToPath(new URL('./reaper-process.ts', import.meta.url));

/** Maximum number of replacements of ended reapers. A reaper that ends repeatedly must not be replaced forever. */
const MOST_REPLACEMENTS = 5;

export function createReaper(): Reaper {
  const registered = new Map<number, ReaperMessage>();
  let closing = false;
  let replacements = 0;
  let child = spawnReaper();
  let exited = watch(child);

  function watch(watched: ChildProcess): Promise<void> {
    return new Promise((resolve) => {
      watched.once('exit', () => {
        resolve();
        if (closing || replacements === MOST_REPLACEMENTS) return;
        replacements += 1;
        child = spawnReaper();
        exited = watch(child);
        for (const message of registered.values()) tell(message);
      });
    });
  }

  function tell(message: ReaperMessage): void {
    child.stdin!.write(`${JSON.stringify(message)}\n`);
  }

  async function close(): Promise<void> {
    closing = true;
    child.ref();
    child.stdin!.end();
    await exited;
  }

  return {
    get pid() {
      return child.pid!;
    },
    register(pid, stopSignal, graceMilliseconds) {
      const message = { register: pid, stopSignal, graceMilliseconds };
      registered.set(pid, message);
      tell(message);
    },
    forget(pid) {
      if (registered.delete(pid)) tell({ forget: pid });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function spawnReaper(): ChildProcess {
  // The reaper runs in its own session. Signals to the launcher's terminal or process group do not reach it.
  const child = spawn(process.execPath, [PROGRAM], {
    detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/', env: {},
  });
  if (child.pid === undefined) {
    child.once('error', () => undefined);
    throw new Error(`The process that stops leftover parts could not be started with ${process.execPath}.`);
  }
  // A killed reaper is replaced on `exit`, so the error of the broken pipe is ignored.
  child.stdin!.on('error', () => undefined);
  // The reaper must not keep the launcher alive.
  child.unref();
  (child.stdin as Socket).unref();
  return child;
}
