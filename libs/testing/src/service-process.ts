import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ReadyMessage } from '@platform/service';
import { serviceLog, type ServiceLog } from './harness.ts';
import { repositoryRoot } from './repository.ts';
import { timed } from './times.ts';

/** How a process ended: exactly one member is set. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that has announced its addresses. */
export interface ServiceProcess {
  /** Undefined if it shares its process with other services. */
  readonly pid?: number;
  /** Addresses by purpose, such as `{ grpc: '127.0.0.1:41235', admin: '127.0.0.1:41240' }`. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Lines that the process has written so far to both streams. */
  readonly log: readonly string[];
  /** Resolves when the process has ended. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Sends a signal and waits for the end of the process. */
  kill(signal: NodeJS.Signals): Promise<ProcessExit>;
  /** Sends SIGTERM, and SIGKILL if the process has not ended within 15 s. Resolves at once if it has already ended. */
  stop(): Promise<ProcessExit>;
}

/** A service ended, or did not announce its addresses in time. The message contains the end of its log. */
export class ServiceNotStarted extends Error {
  override readonly name = 'ServiceNotStarted';
  /** Set if the process ended by itself. */
  readonly exit: ProcessExit | undefined;
  readonly log: readonly string[];

  constructor(what: string, log: readonly string[], exit: ProcessExit | undefined) {
    super([what, ...log.slice(-40)].join('\n'));
    this.exit = exit;
    this.log = log;
  }
}

export const readyTimeout = 60_000;
export const stopTimeout = 15_000;
/** Folder of services' compiled code, which the next start reuses, as `platform up` does: it halves the start time. */
const compileCache = join(repositoryRoot, 'node_modules/.cache/node-compile');

/**
 * Starts a TypeScript file as a real child process and waits until it announces `{ ready }` (`runService` of
 * libs/service). The child ends with this process: a service stops when its IPC channel closes.
 * @param environment all variables of the process besides PATH, HOME, TMPDIR, the locale and the folder of compiled
 *   code
 * @param confine shell commands that run before the program, such as `ulimit -n 64`
 * @throws ServiceNotStarted
 */
export async function startProcess(
  name: string, main: string, environment: Readonly<Record<string, string>>, confine?: string,
): Promise<ServiceProcess> {
  const shell = confine !== undefined && {
    execPath: '/bin/sh', execArgv: ['-ec', `${confine}\nexec "$0" "$@"`, process.execPath],
  };
  const env = { ...nodeEnvironment(), ...environment };
  const child = fork(main, { execArgv: [], ...shell, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const log = serviceLog(`${name} (pid ${child.pid ?? 'none'})`);
  follow(child, log);
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: 127, signal: null }));
  });
  const addresses = await timed('process', name, () => readiness(name, child, exited, log));

  async function kill(signal: NodeJS.Signals): Promise<ProcessExit> {
    child.kill(signal);
    return exited;
  }

  async function stop(): Promise<ProcessExit> {
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeout);
    return kill('SIGTERM').finally(() => clearTimeout(timer));
  }

  return { pid: child.pid ?? 0, addresses, log: log.lines, exited, kill, stop };
}

function readiness(
  name: string, child: ChildProcess, exited: Promise<ProcessExit>, log: ServiceLog,
): Promise<ServiceProcess['addresses']> {
  const { promise: ready, resolve, reject } = Promise.withResolvers<ServiceProcess['addresses']>();
  child.on('message', (message: Partial<ReadyMessage>) => {
    if (message.ready !== undefined) resolve(message.ready);
  });
  void exited.then((exit) => {
    const how = exit.signal ?? `code ${exit.code}`;
    reject(new ServiceNotStarted(`${name} ended with ${how} before it was ready`, log.lines, exit));
  });
  const timer = setTimeout(() => {
    child.kill('SIGKILL');
    reject(new ServiceNotStarted(`${name} was not ready within ${readyTimeout} ms`, log.lines, undefined));
  }, readyTimeout);
  return ready.finally(() => clearTimeout(timer));
}

function follow(child: ChildProcess, log: ServiceLog): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', (line) => log.lines.push(line));
  }
}

/** The variables of every process that specs start: PATH, HOME, TMPDIR, the locale and the folder of compiled code. */
export function nodeEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ'];
  const inherited = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(inherited), NODE_COMPILE_CACHE: compileCache };
}
