import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';

/**
 * A small process beside the launcher that outlives it by seconds: when the launcher ends, however it ends, the reaper
 * stops what is still registered (signal, grace, SIGKILL) and ends. One per launcher.
 */
export interface Reaper extends AsyncDisposable {
  readonly pid: number;
  /** Watches over a process from now on. It is known by pid and start time, so a reused pid is never hit. */
  register(pid: number, stopSignal: NodeJS.Signals, graceMilliseconds: number): void;
  /** The process has ended or is another's concern. */
  forget(pid: number): void;
  /** Ends the reaper; everything that is still registered is stopped first. Resolves when it has ended. */
  close(): Promise<void>;
}

/** One line of the pipe between launcher and reaper. */
export type ReaperMessage =
  | { readonly register: number; readonly stopSignal: NodeJS.Signals; readonly graceMilliseconds: number }
  | { readonly forget: number };

const PROGRAM = fileURLToPath(new URL('./reaper-process.ts', import.meta.url));

/**
 * A reaper may be killed by hand or when memory is short. A reaper that ends repeatedly must not be replaced forever.
 */
const MOST_REPLACEMENTS = 5;

/** Starts the reaper. Should it be killed, another takes its place. */
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
  // A session of its own: signals to the launcher's terminal or process group must not reach it.
  const child = spawn(process.execPath, [PROGRAM], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    env: {},
  });
  if (child.pid === undefined) {
    child.once('error', () => undefined);
    throw new Error(`The reaper could not be started with ${process.execPath}.`);
  }
  // A killed reaper is replaced on `exit`; the error of the broken pipe adds nothing.
  child.stdin!.on('error', () => undefined);
  // The launcher's life does not depend on the reaper's.
  child.unref();
  (child.stdin as Socket).unref();
  return child;
}
