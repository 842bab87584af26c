import type { Deadline, Logger } from '@platform/service';
import type { NewJob } from './add-jobs.ts';

/** What a handler knows of its run. */
export interface JobContext {
  /** Its signal aborts at the deadline, and when the service stops. */
  readonly deadline: Deadline;
  /** Which run of this job this is, from 1. */
  readonly attempt: number;
  /** Names the run in log lines, audit entries and calls of other services. */
  readonly requestId: string;
  /** Writes the task and the request id with every line. */
  readonly log: Logger;
}

/**
 * Does a job. It may run twice, also at the same time, when a process dies or hangs in it: it must be harmless to
 * repeat. It is repeated until it does not throw.
 */
export type JobHandler<Payload> = (payload: Payload, job: JobContext) => Promise<unknown>;

export interface TaskOptions {
  /** How long one run may take, in milliseconds; default 30,000. */
  readonly deadlineMs?: number;
}

/** A task with its handler, for `openJobs`. */
export interface TaskHandler extends TaskOptions {
  readonly task: string;
  readonly run: JobHandler<never>;
}

/** A kind of job: makes jobs (`removePicture({ name })`) for `work.effect`, and takes the handler that does them. */
export interface Task<Payload extends object> {
  (payload: Payload, options?: Pick<NewJob, 'key' | 'afterMs'>): NewJob;
  handledBy(run: JobHandler<Payload>, options?: TaskOptions): TaskHandler;
}

/** @param task unique within the service; stored with each job, so it is not to be changed while jobs wait */
export function defineTask<Payload extends object>(task: string): Task<Payload> {
  return Object.assign(
    (payload: Payload, options: Pick<NewJob, 'key' | 'afterMs'> = {}): NewJob => ({ task, payload, ...options }),
    { handledBy: (run: JobHandler<Payload>, options: TaskOptions = {}): TaskHandler => ({ task, run, ...options }) },
  );
}

/**
 * Work that is done again and again, by one replica at a time: `everyMs` after the end of the last run. A run that was
 * missed while no replica was up is made up for once, at the next start. One that fails is repeated as jobs are.
 */
export interface Schedule extends TaskOptions {
  readonly name: string;
  readonly everyMs: number;
  readonly run: (job: JobContext) => Promise<unknown>;
}
