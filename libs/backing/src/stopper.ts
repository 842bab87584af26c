import type { ChildProcess } from 'node:child_process';
import { killWithChildren } from './process-identity.ts';
import type { ServerExit } from './server-plan.ts';

/**
 * How a child process is stopped: it gets `stopSignal` once, after the grace SIGKILL, and its children with it. Of
 * several calls the grace that is over first counts. Each resolves when the process has ended.
 * @param exited resolves when it has
 * @param usualGrace milliseconds, where a call names none
 */
export function stopper(
  child: ChildProcess,
  exited: Promise<ServerExit>,
  stopSignal: NodeJS.Signals,
  usualGrace: number,
): (graceMilliseconds?: number) => Promise<ServerExit> {
  let isSignalled = false;
  let killed: Promise<void> | undefined;
  const kill = (): void => {
    // Its pid is its own until its end has been noticed.
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
