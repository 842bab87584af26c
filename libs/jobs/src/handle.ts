import type { Database } from '@platform/postgres';
import { deadlineIn, type OpenService, within } from '@platform/service';
import type { JobHelpers, TaskList } from 'graphile-worker';
import { addNextRun } from './schedules.ts';
import type { JobContext, Schedule, TaskHandler } from './task.ts';

const usualDeadlineMs = 30_000;

/** Returns the handlers in the form that graphile-worker calls. `stopping` aborts when the service stops. */
export function taskList(
  handlers: readonly TaskHandler[], { log, metrics }: Pick<OpenService, 'log' | 'metrics'>, stopping: AbortSignal,
): TaskList {
  const runs = metrics.counter({
    name: 'job_runs_total', help: 'Runs of jobs, by task and outcome (done or failed).', labels: ['task', 'outcome'],
  });
  const durations = metrics.histogram({
    name: 'job_duration_seconds', help: 'How long runs of jobs took, by task.', labels: ['task'],
  });
  return Object.fromEntries(handlers.map(({ task, run, deadlineMs = usualDeadlineMs }) => {
    const [done, failed] = [runs.with({ task, outcome: 'done' }), runs.with({ task, outcome: 'failed' })];
    const duration = durations.with({ task });
    const handle = async (payload: unknown, { job, abortSignal }: JobHelpers): Promise<void> => {
      const begun = performance.now();
      const requestId = `job-${job.id}`;
      // When graphile-worker ends because of an error, it waits for its jobs. Its signal must therefore end the runs.
      const cutOff = AbortSignal.any([stopping, abortSignal]);
      const deadline = deadlineIn(deadlineMs, cutOff);
      const context: JobContext = { deadline, attempt: job.attempts, requestId, log: log.child({ task, requestId }) };
      try {
        await within(deadline, unlessAborted(cutOff, run(payload as never, context)), `the job ${task}`);
        done.add();
      } catch (error) {
        // If `cutOff` has aborted, the service or graphile-worker stops. The run was interrupted, so it is not counted
        // as failed.
        if (!cutOff.aborted) {
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

/** Ends the wait for a run when `signal` aborts, even if the handler ignores the signal. */
function unlessAborted(signal: AbortSignal, run: Promise<unknown>): Promise<unknown> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(new Error('the run was cut off'));
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp, { once: true });
  return Promise.race([run, aborted]).finally(() => signal.removeEventListener('abort', giveUp));
}

export function scheduled(database: Database, schedule: Schedule): TaskHandler {
  const { name: task, run, deadlineMs } = schedule;
  return {
    task,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    run: async (_payload, job) => {
      await run(job);
      await addNextRun(database, schedule);
    },
  };
}
