import type { openClientPool } from '@platform/postgres';
import { backoffPause, deadlineIn, type Logger, pause, within } from '@platform/service';
import type { Runner, TaskList, WorkerPool } from 'graphile-worker';

export interface SupervisedRunner extends AsyncDisposable {
  /** Under which it locks jobs; undefined while it does not run. */
  name(): string | undefined;
  /** Has up to so many idle workers look for jobs now. */
  nudge(workers: number): void;
}

export interface RunnerOptions {
  readonly pool: ReturnType<typeof openClientPool>;
  readonly schema: string;
  readonly tasks: TaskList;
  readonly concurrency: number;
  readonly log: Logger;
  /** How long a stop may wait for jobs that run, in milliseconds. */
  readonly stopMs: number;
}

/**
 * How often each idle worker looks for jobs by itself, in milliseconds. It is only a fallback: a job that is due when
 * it is added is announced by NOTIFY, and {@link watchReplicas} nudges workers for one whose time has come.
 */
const pollMs = 30_000;
/** How long jobs may go on when the engine restarts itself, because it could not complete one of them. */
const untilCutOffMs = 2_000;

/**
 * Runs graphile-worker until disposed. It ends by itself when PostgreSQL is lost at the wrong moment: then it is
 * started again, with growing pauses. Its jobs are released by {@link watchReplicas}.
 */
export function superviseRunner({ pool, schema, tasks, concurrency, log, stopMs }: RunnerOptions): SupervisedRunner {
  const stopping = new AbortController();
  let running: Runner | undefined;
  let workers: WorkerPool | undefined;

  async function runOnce(): Promise<void> {
    // It takes a while to load, and nobody waits for it.
    const { Logger: EngineLogger, makeWorkerUtils, run } = await import('graphile-worker');
    const { EventEmitter } = await import('node:events');
    const logger = new EngineLogger(() => (level, detail, meta) => {
      if (level === 'error' && meta?.['failure'] !== true) log.warn({ detail }, 'the engine of jobs reports a problem');
      else log.debug({ detail }, 'the engine of jobs');
    });
    const events = new EventEmitter();
    events.on('pool:create', ({ workerPool }: { workerPool: WorkerPool }) => {
      workers = workerPool;
    });
    // Without a batch, a job that cannot be completed would be an unhandled rejection, which ends the process.
    const preset = {
      worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0, gracefulShutdownAbortTimeout: untilCutOffMs },
    };
    const utils = await makeWorkerUtils({ pgPool: pool, schema, logger });
    await utils.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] });
    await utils.release();
    if (stopping.signal.aborted) return;
    running = await run({
      pgPool: pool, schema, taskList: tasks, parsedCronItems: [], concurrency, pollInterval: pollMs, logger, events,
      noHandleSignals: true, preset,
    });
    if (stopping.signal.aborted) void running.stop().catch(() => undefined);
    await running.promise;
  }

  async function supervise(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      const begun = performance.now();
      const failure = await runOnce().then(() => undefined, (error: unknown) => error);
      [running, workers] = [undefined, undefined];
      if (stopping.signal.aborted) return;
      failures = performance.now() - begun > 60_000 ? 1 : failures + 1;
      log.warn({ failures, error: failure }, 'the engine of jobs ended; restarting it');
      await pause(backoffPause(failures), stopping.signal);
    }
  }

  const supervising = supervise();
  return {
    name: () => workers?.id,
    nudge: (count) => {
      // Workers that have ended throw.
      if (count > 0 && !stopping.signal.aborted) workers?.nudge(count);
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      const stopped = Promise.all([running?.stop().catch(() => undefined), supervising]);
      await within(deadlineIn(stopMs), stopped, 'the jobs that run').catch((error: unknown) => {
        log.warn({ error }, 'running jobs were left to other replicas');
      });
    },
  };
}
