import type { ChildProcess } from 'node:child_process';
import { killWithChildren } from './process-identity.ts';
import type { ServerExit } from './server-plan.ts';

/**
 * Stops a child process: sends `stopSignal` once and, after the grace period, SIGKILL to it and its children. If
 * several calls are made, the grace period that ends first applies. Each call resolves when the process has ended.
 * @param usualGrace grace period of calls that give none, in milliseconds
 */
export function stopper(
  child: ChildProcess, exited: Promise<ServerExit>, stopSignal: NodeJS.Signals, usualGrace: number,
): (graceMilliseconds?: number) => Promise<ServerExit> {
  let isSignalled = false;
  let killed: Promise<void> | undefined;
  const kill = (): void => {
    // The pid cannot be reused before the end of the process has been noticed.
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
