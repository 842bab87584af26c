import type { Deadline, Logger } from '@platform/service';
import type { NewJob } from './add-jobs.ts';

export interface JobContext {
  /** The signal of this deadline aborts at the deadline, and when the service or graphile-worker stops. */
  readonly deadline: Deadline;
  /** Number of this attempt, from 1. */
  readonly attempt: number;
  /** Request id for log lines, audit entries and calls to other services. All attempts of a job have the same id. */
  readonly requestId: string;
  readonly log: Logger;
}

/**
 * Runs a job. The handler must be idempotent. If its process dies or hangs, another process runs the job again, perhaps
 * while the first run continues. The job is repeated until a run succeeds or a newer job with the same key replaces it.
 */
export type JobHandler<Payload> = (payload: Payload, job: JobContext) => Promise<unknown>;

export interface TaskOptions {
  /** Time limit of one run, in milliseconds; default 30,000. */
  readonly deadlineMs?: number;
}

export interface TaskHandler extends TaskOptions {
  readonly task: string;
  readonly run: JobHandler<never>;
}

/** A kind of job. A task is a function that creates a job, for example in `work.effect(removePicture({ name }))`. */
export interface Task<Payload extends object> {
  (payload: Payload, options?: Pick<NewJob, 'key' | 'afterMs'>): NewJob;
  handledBy(run: JobHandler<Payload>, options?: TaskOptions): TaskHandler;
}

/** @param task name, unique within the service. Each job stores the name, so do not change it while jobs wait. */
export function defineTask<Payload extends object>(task: string): Task<Payload> {
  return Object.assign(
    (payload: Payload, options: Pick<NewJob, 'key' | 'afterMs'> = {}): NewJob => ({ task, payload, ...options }),
    { handledBy: (run: JobHandler<Payload>, options: TaskOptions = {}): TaskHandler => ({ task, run, ...options }) },
  );
}

/**
 * Work that repeats, usually on one replica at a time. The next run begins about `everyMs` after the end of a
 * successful run. If a run becomes due while no replica is up, it begins when a replica starts. A failed run is
 * repeated like any job.
 */
export interface Schedule extends TaskOptions {
  readonly name: string;
  readonly everyMs: number;
  readonly run: (job: JobContext) => Promise<unknown>;
}
