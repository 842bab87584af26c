import { open, stat } from 'node:fs/promises';
import { BackingFault } from './fault.ts';
import { launch, type LaunchOptions } from './launch.ts';
import { portOwner, portTaken } from './ports.ts';
import type { RunningServer, ServerExit, ServerPlan } from './server-plan.ts';

export type StartOptions = LaunchOptions;

export interface Started<Plan extends ServerPlan> {
  readonly plan: Plan;
  readonly server: RunningServer;
}

const ATTEMPTS = 3;
const LOG_TAIL_BYTES = 2_000;

/**
 * Plans, prepares, launches and waits until the server answers. Somebody may take a chosen port before the server does:
 * then the server is planned again, with other ports, three times at most; a fixed port is a fault at once.
 * @throws BackingFault PORT_TAKEN, START_FAILED (ended before it answered; the message holds the end of its log),
 *   NOT_READY, and what `prepare` throws. Nothing is left running then.
 */
export async function start<Plan extends ServerPlan>(
  makePlan: () => Plan | Promise<Plan>,
  options: StartOptions,
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

async function startOnce(plan: ServerPlan, options: StartOptions): Promise<RunningServer> {
  await plan.prepare(options.signal);
  await assertPortsFree(plan);
  const logStart = await sizeOf(options.logFile);
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
  plan: ServerPlan,
  server: RunningServer,
  options: StartOptions,
  logStart: number,
): Promise<void> {
  const stopWaiting = new AbortController();
  const deadline = AbortSignal.timeout(plan.readyMilliseconds);
  const signals = [stopWaiting.signal, deadline, ...(options.signal ? [options.signal] : [])];
  const ready = plan.ready(AbortSignal.any(signals)).then(() => undefined);
  try {
    const exit = await Promise.race([ready, server.exited]);
    if (exit !== undefined) await explainExit(plan, exit, options.logFile, logStart);
  } catch (error) {
    if (!deadline.aborted || options.signal?.aborted) throw error;
    const tail = await logTail(options.logFile, logStart);
    throw new BackingFault(
      'NOT_READY',
      `${plan.name} did not answer within ${plan.readyMilliseconds / 1000} s: ${tail}`,
      `See ${options.logFile}.`,
      { cause: error },
    );
  } finally {
    stopWaiting.abort();
    await ready.catch(() => undefined);
  }
}

/** A server that ended before it answered: because its port is another's, or for what its log says. */
async function explainExit(plan: ServerPlan, exit: ServerExit, logFile: string, logStart: number): Promise<never> {
  await assertPortsFree(plan);
  const tail = await logTail(logFile, logStart);
  throw new BackingFault(
    'START_FAILED',
    `${plan.name} ended with ${exit.signal ?? `code ${exit.code}`} before it answered: ${tail}`,
    `See ${logFile}.`,
  );
}

async function assertPortsFree(plan: ServerPlan): Promise<void> {
  for (const port of plan.ports) {
    if (!(await portTaken(port))) continue;
    const owner = await portOwner(port);
    throw new BackingFault(
      'PORT_TAKEN',
      `Port ${port} for ${plan.name} is taken${owner === undefined ? '' : ` by ${owner}`}.`,
      'Free it, or set another port.',
    );
  }
}

async function sizeOf(file: string): Promise<number> {
  return await stat(file).then(({ size }) => size, () => 0);
}

/** The end of what was logged since `from`, on one line. */
async function logTail(file: string, from: number): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const position = Math.max(size - LOG_TAIL_BYTES, from > size ? 0 : from);
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(LOG_TAIL_BYTES), position });
    return buffer.toString('utf8', 0, bytesRead).trim().replaceAll(/\s*\n\s*/g, ' | ') || '(nothing logged)';
  } finally {
    await handle.close();
  }
}
