import type { Database } from '@platform/postgres';
import { deadlineIn, type Logger, type Metrics, within } from '@platform/service';
import type { JobHelpers, TaskList } from 'graphile-worker';
import { addJobs, type NewJob } from './add-jobs.ts';
import type { JobContext, Schedule, TaskHandler } from './task.ts';

const usualDeadlineMs = 30_000;

export interface HandlingOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
}

/** The handlers as graphile-worker calls them: each run with a deadline, logged when it fails, and counted. */
export function taskList(handlers: readonly TaskHandler[], options: HandlingOptions): TaskList {
  const { log, metrics, stopping } = options;
  const runs = metrics.counter({
    name: 'job_runs_total',
    help: 'Runs of jobs, by task and outcome (done or failed).',
    labels: ['task', 'outcome'],
  });
  const durations = metrics.histogram({
    name: 'job_duration_seconds',
    help: 'How long runs of jobs took, by task.',
    labels: ['task'],
  });
  return Object.fromEntries(handlers.map(({ task, run, deadlineMs = usualDeadlineMs }) => {
    const [done, failed] = [runs.with({ task, outcome: 'done' }), runs.with({ task, outcome: 'failed' })];
    const duration = durations.with({ task });
    const handle = async (payload: unknown, { job }: JobHelpers): Promise<void> => {
      const begun = performance.now();
      const requestId = `job-${job.id}`;
      const deadline = deadlineIn(deadlineMs, stopping);
      const context: JobContext = { deadline, attempt: job.attempts, requestId, log: log.child({ task, requestId }) };
      try {
        await within(deadline, run(payload as never, context), `the job ${task}`);
        done.add();
      } catch (error) {
        // One that a stop cuts off runs again elsewhere: nothing is wrong with it.
        if (!stopping.aborted) {
          failed.add();
          context.log.warn({ attempt: job.attempts, error }, 'a job failed and will be repeated');
        }
        throw error;
      } finally {
        duration.observe((performance.now() - begun) / 1_000);
      }
    };
    return [task, handle];
  }));
}

/** The first job of a schedule: due at once. Exactly one job of a schedule exists, so one replica runs it. */
export function firstJob({ name }: Schedule): NewJob {
  return { task: name, payload: {}, key: `schedule:${name}` };
}

/** Runs a schedule, then adds its next job. */
export function scheduled(database: Database, schedule: Schedule): TaskHandler {
  const { name, everyMs, run, deadlineMs } = schedule;
  return {
    task: name,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    run: async (_payload, job) => {
      await run(job);
      await addJobs(database, [{ ...firstJob(schedule), afterMs: everyMs }]);
    },
  };
}
