import { stat } from 'node:fs/promises';
import { BackingFault } from './fault.ts';
import { launch, type LaunchOptions } from './launch.ts';
import { logTail } from './log-tail.ts';
import { assertPortsFree } from './ports.ts';
import type { ProcessPlan, RunningServer } from './server-plan.ts';

export interface Started<Plan extends ProcessPlan> {
  readonly plan: Plan;
  readonly server: RunningServer;
}

const ATTEMPTS = 3;

/**
 * Makes a plan, prepares and launches the server, and waits until the server is ready. If a port is taken, starts again
 * with a new plan, because the new plan may choose another port. Makes at most three plans. If the caller fixed a port
 * (`portFixed`), a taken port is a fault at once. After a failure, no process is left running.
 * @throws BackingFault PORT_TAKEN, START_FAILED, NOT_READY; the reason of an aborted signal; the errors of `makePlan`,
 *   `prepare` and `launch`
 */
export async function start<Plan extends ProcessPlan>(
  makePlan: () => Plan | Promise<Plan>, options: LaunchOptions,
): Promise<Started<Plan>> {
  for (let attempt = 1; ; attempt += 1) {
    const plan = await makePlan();
    try {
      return { plan, server: await startOnce(plan, options) };
    } catch (error) {
      const portLost = error instanceof BackingFault && error.reason === 'PORT_TAKEN';
      if (!portLost || plan.portFixed || attempt === ATTEMPTS) throw error;
    }
  }
}

async function startOnce(plan: ProcessPlan, options: LaunchOptions): Promise<RunningServer> {
  await plan.prepare(options.signal);
  await assertPortsFree(plan.name, plan.ports);
  const logStart = await stat(options.logFile).then(({ size }) => size, () => 0);
  const server = await launch(plan, options);
  try {
    await firstAnswer(plan, server, options, logStart);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function firstAnswer(
  plan: ProcessPlan, server: RunningServer, { logFile, signal }: LaunchOptions, logStart: number,
): Promise<void> {
  const stopWaiting = new AbortController();
  const deadline = AbortSignal.timeout(plan.readyMilliseconds);
  const signals = [stopWaiting.signal, deadline, ...(signal ? [signal] : [])];
  const ready = plan.ready(AbortSignal.any(signals)).then(() => undefined);
  try {
    const exit = await Promise.race([ready, server.exited]);
    if (exit === undefined) return;
    // Another process may have taken the port. Otherwise, the log may contain the reason.
    await assertPortsFree(plan.name, plan.ports);
    const ended = `${plan.name} ended with ${exit.signal ?? `code ${exit.code}`} before it answered`;
    throw new BackingFault('START_FAILED', `${ended}: ${await logTail(logFile, logStart)}.`, `See ${logFile}.`);
  } catch (error) {
    if (!deadline.aborted || signal?.aborted) throw error;
    const late = `${plan.name} did not answer within ${plan.readyMilliseconds / 1000} s`;
    const message = `${late}: ${await logTail(logFile, logStart)}.`;
    throw new BackingFault('NOT_READY', message, `See ${logFile}.`, { cause: error });
  } finally {
    stopWaiting.abort();
    await ready.catch(() => undefined);
  }
}
