import type { openClientPool } from '@platform/postgres';
import { backoffPause, deadlineIn, type Logger, pause, within } from '@platform/service';
import type { Runner, TaskList, WorkerPool } from 'graphile-worker';

export interface SupervisedRunner extends AsyncDisposable {
  /** The name under which this replica locks jobs; undefined while graphile-worker does not run. */
  name(): string | undefined;
  /** Makes idle workers of graphile-worker look for jobs now: at most `workers` of them. */
  nudge(workers: number): void;
}

interface RunnerOptions {
  readonly pool: ReturnType<typeof openClientPool>;
  readonly schema: string;
  readonly tasks: TaskList;
  readonly concurrency: number;
  readonly log: Logger;
  /** How long a stop may wait for running jobs, in milliseconds. */
  readonly stopMs: number;
  readonly started: () => void;
}

/** Interval at which idle workers poll, in milliseconds: a fallback for notifications and {@link watchReplicas}. */
const pollMs = 30_000;
/** How long jobs may still run when graphile-worker ends because of an error, in milliseconds. */
const untilCutOffMs = 2_000;

/**
 * Runs graphile-worker until disposed. If graphile-worker ends by itself, it is restarted after a pause, under another
 * name. {@link watchReplicas} releases the jobs that are still locked under the old name.
 */
export function superviseRunner(
  { pool, schema, tasks, concurrency, log, stopMs, started }: RunnerOptions,
): SupervisedRunner {
  const stopping = new AbortController();
  let running: Runner | undefined;
  let workers: WorkerPool | undefined;

  async function runOnce(): Promise<void> {
    // Loading the module takes a while, and the start of the service does not have to wait for it.
    const { Logger: EngineLogger, makeWorkerUtils, run } = await import('graphile-worker');
    const { EventEmitter } = await import('node:events');
    const logger = new EngineLogger(() => (level, detail, meta) => {
      if (level === 'error' && meta?.['failure'] !== true) log.warn({ detail }, 'graphile-worker reports a problem');
      else log.debug({ detail }, 'graphile-worker');
    });
    const events = new EventEmitter();
    events.on('pool:create', ({ workerPool }: { workerPool: WorkerPool }) => {
      workers = workerPool;
    });
    events.on('job:start', started);
    // A delay, even of 0, turns on batches. Without batches, if the result of a job cannot be written, graphile-worker
    // leaves a rejection unhandled, which ends the process.
    const worker = { completeJobBatchDelay: 0, failJobBatchDelay: 0, gracefulShutdownAbortTimeout: untilCutOffMs };
    const utils = await makeWorkerUtils({ pgPool: pool, schema, logger });
    await utils.cleanup({ tasks: ['DELETE_PERMAFAILED_JOBS'] });
    await utils.release();
    if (stopping.signal.aborted) return;
    running = await run({
      pgPool: pool, schema, taskList: tasks, parsedCronItems: [], concurrency, pollInterval: pollMs, logger, events,
      noHandleSignals: true, preset: { worker },
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
      log.warn({ failures, error: failure }, 'graphile-worker ended; restarting it');
      await pause(backoffPause(failures), stopping.signal);
    }
  }

  const supervising = supervise();
  return {
    name: () => workers?.id,
    nudge: (count) => {
      // After the stop, `workers.nudge` would throw.
      if (count > 0 && !stopping.signal.aborted) workers?.nudge(count);
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      const stopped = Promise.all([running?.stop().catch(() => undefined), supervising]);
      await within(deadlineIn(stopMs), stopped, 'the jobs that run').catch((error: unknown) => {
        log.warn({ error }, 'running jobs did not end in time and will be repeated');
      });
    },
  };
}
