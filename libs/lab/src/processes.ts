import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createReaper, type Reaper, type RunningServer, start, until } from '@platform/backing';
import { planProgram, type Program, type Surroundings } from './plans.ts';

export type ProcessOptions = Omit<Program, 'ready' | 'ports'> & {
  readonly ports?: readonly number[];
  /** Called repeatedly until it resolves. If absent, the process is ready at once. */
  readonly ready?: (signal: AbortSignal) => Promise<void>;
};

export interface Processes {
  /** Aborts when the lab stops, or when the signal of the caller aborts. */
  readonly signal: AbortSignal;
  /** Resolves with the name of the first process that ends before `stop` is called. */
  readonly broken: Promise<string>;
  /** Starts a program and waits until `ready` succeeds. */
  run(options: ProcessOptions): Promise<RunningServer>;
  /** Adds work that runs after all processes have stopped. */
  onStop(work: () => Promise<void>): void;
  /** Stops all processes: first the clients of the API servers, then the API servers, then etcd. */
  stop(): Promise<void>;
}

export function openProcesses(around: Surroundings, given: AbortSignal | undefined): Processes {
  const reaper: Reaper = createReaper();
  const stopping = new AbortController();
  const signal = given === undefined ? stopping.signal : AbortSignal.any([given, stopping.signal]);
  const broken = Promise.withResolvers<string>();
  const running: RunningServer[] = [];
  const last: (() => Promise<void>)[] = [];
  return {
    signal,
    broken: broken.promise,
    run: async ({ ports = [], ready, ...program }) => {
      const plan = planProgram(around, {
        ...program,
        ports,
        ready: (aborted) => (ready === undefined ? Promise.resolve() : until(ready, aborted)),
      });
      const logFile = join(around.home, 'logs', `${program.name}.log`);
      const { server } = await start(() => plan, { logFile, reaper, signal });
      running.push(server);
      void server.exited.then(() => {
        if (!stopping.signal.aborted) broken.resolve(program.name);
      });
      return server;
    },
    onStop: (work) => last.push(work),
    stop: async () => {
      stopping.abort();
      // The processes of one wave stop at the same time.
      const waves = [/node|agent|hub-controller/, /controllers/, /-api/, /etcd/];
      for (const wave of waves) {
        await Promise.all(running.filter(({ name }) => wave.test(name)).map((one) => one.stop()));
      }
      await reaper.close();
      for (const work of last) await work();
    },
  };
}

/** The longest wait for a condition, in milliseconds. */
const holdsMs = 60_000;

export async function untilHolds(holds: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(holdsMs)]);
  while (!(await holds())) await pause(100, undefined, { signal: either });
}
