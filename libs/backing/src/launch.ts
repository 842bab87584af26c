import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BackingFault } from './fault.ts';
import { writePidFile } from './pid-file.ts';
import { killWithChildren } from './process-identity.ts';
import type { Reaper } from './reaper.ts';
import type { ProcessPlan, RunningServer, ServerExit } from './server-plan.ts';
import { tiedToCaller } from './tied-command.ts';

export interface LaunchOptions {
  /** Standard output and error are appended here. */
  readonly logFile: string;
  /** Stops the launched process when the launcher ends for any reason. */
  readonly reaper?: Reaper;
  /** If this signal aborts, the process is stopped, as by `RunningServer.stop`. */
  readonly signal?: AbortSignal;
}

/** A larger log file is renamed at the next launch: `.1` is appended to its name. */
const LOG_KEEP_BYTES = 16 * 1024 * 1024;

/**
 * Starts the process of a plan and returns before the process is ready (`plan.ready`). The process runs in its own
 * session, so Ctrl-C in the terminal does not reach it. If the launcher dies, `options.reaper` stops the process. A
 * Node program (`plan.onMessage`) also stops by itself when its IPC channel closes. Any other process also
 * gets the stop signal from the kernel when the launcher dies, if `setpriv` supports this (see `tiedToCaller`).
 * @throws BackingFault START_FAILED if the executable cannot be run; the reason of an aborted signal; errors of the log
 *   file and the pid file
 */
export async function launch(plan: ProcessPlan, options: LaunchOptions): Promise<RunningServer> {
  options.signal?.throwIfAborted();
  const child = await spawnLogged(plan, options.logFile);
  const pid = child.pid!;
  const exited = new Promise<ServerExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const { pidFile, stopSignal, graceMilliseconds } = plan;
  options.reaper?.register(pid, stopSignal, graceMilliseconds);
  const recorded = pidFile === undefined
    ? Promise.resolve() : writePidFile(pidFile, pid, stopSignal, graceMilliseconds);
  const ended = exited.then(async (exit) => {
    options.reaper?.forget(pid);
    options.signal?.removeEventListener('abort', onAbort);
    await recorded.catch(() => undefined);
    if (pidFile !== undefined) await rm(pidFile, { force: true });
    return exit;
  });

  const stop = stopper(child, ended, stopSignal, graceMilliseconds);
  const onAbort = (): void => void stop();
  options.signal?.addEventListener('abort', onAbort, { once: true });

  // Stop a process that cannot be recorded, because the next start could not find it.
  await recorded.catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { name: plan.name, pid, exited: ended, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}

async function spawnLogged(plan: ProcessPlan, logFile: string): Promise<ChildProcess> {
  await mkdir(dirname(logFile), { recursive: true, mode: 0o700 });
  const size = await stat(logFile).then(({ size }) => size, () => 0);
  if (size > LOG_KEEP_BYTES) await rename(logFile, `${logFile}.1`);
  const log = await open(logFile, 'a', 0o600);
  try {
    await access(plan.command, constants.X_OK);
    const { onMessage } = plan;
    const { command, args } = onMessage === undefined ? await tiedToCaller(plan, plan.stopSignal) : plan;
    const child = spawn(command, args, {
      cwd: plan.workingDirectory,
      env: plan.environment,
      stdio: ['ignore', log.fd, log.fd, ...(onMessage === undefined ? [] : ['ipc' as const])],
      detached: true,
      ...plan.user,
    });
    if (child.pid === undefined) await once(child, 'spawn');
    if (onMessage !== undefined) {
      child.on('message', onMessage);
      // Ignore errors of the channel, because the exit of the process is reported.
      child.on('error', () => undefined);
    }
    return child;
  } catch (error) {
    const message = `${plan.name} could not be started: ${(error as Error).message}.`;
    const cure = `Check that ${plan.command} exists and may be executed.`;
    throw new BackingFault('START_FAILED', message, cure, { cause: error });
  } finally {
    await log.close();
  }
}

/** Returns the function `RunningServer.stop`. Only its first call sends the stop signal. */
function stopper(
  child: ChildProcess, exited: Promise<ServerExit>, stopSignal: NodeJS.Signals, usualGrace: number,
): (graceMilliseconds?: number) => Promise<ServerExit> {
  let isSignalled = false;
  let killed: Promise<void> | undefined;
  const kill = (): void => {
    // Until Node has collected the child's exit status, no other process can have the child's pid.
    if (child.exitCode === null && child.signalCode === null) killed ??= killWithChildren(child.pid!);
  };
  return async (graceMilliseconds = usualGrace) => {
    if (!isSignalled) child.kill(stopSignal);
    isSignalled = true;
    const timer = setTimeout(kill, graceMilliseconds);
    const exit = await exited;
    clearTimeout(timer);
    await killed;
    return exit;
  };
}
