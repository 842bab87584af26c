import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, type FileHandle } from 'node:fs/promises';
import { BackingFault, type Reaper, type RunningServer, type ServerExit, stopper } from '@platform/backing';
import type { ReadyMessage } from '@platform/service';
import { logTail } from './log-tail.ts';

/** How a service of the platform is run: a Node program that sends its addresses over the IPC channel. */
export interface ServiceProgram {
  readonly name: string;
  /** Path of its `main.ts`. */
  readonly main: string;
  /** The whole environment of the process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory: string;
  /** Standard output and error are appended here. */
  readonly logFile: string;
  /** Milliseconds within which it must be ready. */
  readonly readyMs: number;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly graceMs: number;
}

export interface StartedService {
  readonly server: RunningServer;
  /** By purpose, as it announced them: `{ grpc: '127.0.0.1:41235', admin: … }`. */
  readonly addresses: Readonly<Record<string, string>>;
}

/**
 * Starts a service on this Node and resolves once it has said that it is ready. It runs in a session of its own, so a
 * Ctrl-C reaches the launcher alone; it stops when the launcher goes away, by the channel and by the reaper.
 * @throws BackingFault START_FAILED (with the end of its log), NOT_READY; nothing is left running then
 */
export async function startService(
  program: ServiceProgram,
  options: { readonly reaper: Reaper; readonly signal: AbortSignal },
): Promise<StartedService> {
  options.signal.throwIfAborted();
  const log = await open(program.logFile, 'a', 0o600);
  const { size: logStart } = await log.stat();
  const child = await spawnLogged(program, log);
  const server = watch(program, child, options.reaper);
  try {
    const addresses = await firstWord(program, child, options.signal, logStart);
    return { server, addresses };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function spawnLogged(program: ServiceProgram, log: FileHandle): Promise<ChildProcess> {
  try {
    const child = spawn(process.execPath, [program.main], {
      cwd: program.workingDirectory,
      env: program.environment,
      stdio: ['ignore', log.fd, log.fd, 'ipc'],
      detached: true,
    });
    if (child.pid === undefined) await once(child, 'spawn');
    return child;
  } catch (error) {
    throw new BackingFault(
      'START_FAILED',
      `${program.name} could not be started: ${(error as Error).message}.`,
      `Check that ${process.execPath} may be executed.`,
      { cause: error },
    );
  } finally {
    await log.close();
  }
}

function watch(program: ServiceProgram, child: ChildProcess, reaper: Reaper): RunningServer {
  const pid = child.pid!;
  reaper.register(pid, 'SIGTERM', program.graceMs);
  const exited = new Promise<ServerExit>((resolve) => {
    child.once('exit', (code, signal) => {
      reaper.forget(pid);
      resolve({ code, signal });
    });
  });
  // A channel that breaks says no more than the exit that follows.
  child.on('error', () => undefined);
  const stop = stopper(child, exited, 'SIGTERM', program.graceMs);
  return {
    name: program.name,
    pid,
    exited,
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop();
    },
  };
}

/** Waits for the ready message, the end of the process, the deadline or the signal, whichever comes first. */
function firstWord(
  program: ServiceProgram,
  child: ChildProcess,
  signal: AbortSignal,
  logStart: number,
): Promise<Readonly<Record<string, string>>> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void): void => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      signal.removeEventListener('abort', onAbort);
      outcome();
    };
    const fail = (error: Promise<BackingFault>): void => settle(() => void error.then(reject, reject));
    const onMessage = (message: unknown): void => {
      if (isReady(message)) settle(() => resolve(message.ready));
    };
    const onExit = (code: number | null, by: NodeJS.Signals | null): void => {
      fail(neverReady('START_FAILED', `ended with ${by ?? `code ${code}`} before it was ready`, program, logStart));
    };
    const onAbort = (): void => settle(() => reject(signal.reason));
    const timer = setTimeout(() => {
      fail(neverReady('NOT_READY', `was not ready within ${program.readyMs / 1_000} s`, program, logStart));
    }, program.readyMs);
    child.on('message', onMessage);
    child.once('exit', onExit);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
}

function isReady(message: unknown): message is ReadyMessage {
  return typeof message === 'object' && message !== null && 'ready' in message;
}

async function neverReady(
  reason: 'START_FAILED' | 'NOT_READY',
  what: string,
  { name, logFile }: ServiceProgram,
  logStart: number,
): Promise<BackingFault> {
  const tail = await logTail(logFile, logStart);
  return new BackingFault(reason, `${name} ${what}: ${tail}.`, `See ${logFile}.`);
}
