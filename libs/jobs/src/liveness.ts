import { type Database, sql } from '@platform/postgres';
import { deadlineIn, loop, type Logger } from '@platform/service';
import type { SupervisedRunner } from './runner.ts';
import { makeDueAfterClockChange } from './schedules.ts';
import type { Schedule } from './task.ts';

// All times are in milliseconds.

/**
 * Interval between two looks for due jobs while any job runs or is due. With each look, a replica that runs jobs
 * records that it is alive.
 */
const beatMs = 2_000;
/** A replica that runs jobs counts as gone if its `seen_at` is older than this, in milliseconds. */
const goneAfterMs = 6_000;
/**
 * The longest pause between two looks while no job runs or is due. A notification shortens the pause, but notifications
 * may be lost.
 */
const idleMs = 15_000;
/** The shortest pause between two looks for due jobs. One look finds all jobs that become due during the pause. */
const soonMs = 100;
/** Minimum interval between two checks whether the clock of PostgreSQL was set back, in milliseconds. */
const clockMs = 10_000;
/**
 * Number of looks before a replica releases the jobs of other replicas. The count begins again after a long pause
 * between two looks, such as an outage of PostgreSQL. After an outage, all replicas seem gone until they have recorded
 * that they are alive.
 */
const beatsBeforeJudging = Math.ceil(goneAfterMs / beatMs);

export interface Replicas extends AsyncDisposable {
  /** Makes this replica look for due jobs at the latest after `beatMs`. */
  look(): void;
}

interface Found {
  /** The jobs that were released, because their replicas are gone. */
  readonly released: readonly { readonly task: string; readonly attempts: number }[];
  /** Number of due jobs. The count stops at `concurrency`. */
  readonly due: number;
  /** Whether any job is locked. A running job is locked, and a killed replica leaves its jobs locked. */
  readonly isBusy: boolean;
  /** Milliseconds until the next job is due; null if no job waits. */
  readonly dueInMs: number | null;
}

/**
 * Repeatedly looks for due jobs and for replicas that are gone. Nudges the workers of this replica when jobs are due.
 * Records that this replica is alive while it runs jobs. Releases the jobs of replicas that are gone, because
 * graphile-worker would keep them locked for four hours. A released job waits before its next run, like a failed job.
 * While no job runs or is due, the next look follows when a job becomes due, at the latest after `idleMs` (ADR 0284).
 */
export function watchReplicas({ database, schedules, log, runner, concurrency }: {
  database: Database; schedules: readonly Schedule[]; log: Logger; runner: SupervisedRunner; concurrency: number;
}): Replicas {
  let beats = 0;
  let known: string | undefined;
  let last = -Infinity;
  let clockCheckedAt = -Infinity;

  /** Looks once for due jobs and for replicas that are gone. @returns the pause until the next look */
  async function beat(): Promise<number> {
    const own = runner.name();
    if (own === undefined) return beatMs;
    const options = { deadline: deadlineIn(beatMs * 2) };
    const isSteady = own === known && performance.now() - last < beatMs * 3;
    beats = isSteady ? beats + 1 : 1;
    const isJudging = beats > beatsBeforeJudging;
    if (performance.now() - clockCheckedAt >= clockMs) {
      await makeDueAfterClockChange(database, schedules, options);
      clockCheckedAt = performance.now();
    }
    // A time of more than 1 s in the future does not count as recent. It was written before the clock was set back.
    const isRecent = sql`between now() - ${goneAfterMs} * interval '1 millisecond' and now() + interval '1 second'`;
    const { released, due, isBusy, dueInMs } = await database.one(sql<Found>`
      with alive as (
        insert into job_replica (name)
        select ${own} where exists (select from _private_jobs where locked_by = ${own})
            on conflict (name) do update set seen_at = now()
      ), gone as (
        delete from job_replica
         where ${isJudging}::boolean and name in (
                 select name from job_replica where seen_at not ${isRecent} and name <> ${own} for update skip locked
               )
      ), released as (
        update _private_jobs as job
           set locked_at = null, locked_by = null, last_error = 'the process that ran the job is gone'
         where ${isJudging}::boolean
           and locked_by is not null and locked_by <> ${own}
           and locked_at not ${isRecent}
           and not exists (select from job_replica where name = job.locked_by and seen_at ${isRecent})
        returning (select identifier from _private_tasks where id = task_id) as "task", attempts
      )
      select coalesce((select json_agg(released) from released), '[]') as "released",
             (
               select count(*)::integer
                 from (select from _private_jobs where is_available and run_at <= now() limit ${concurrency}) due
             ) as "due",
             exists (select from _private_jobs where locked_by is not null) as "isBusy",
             (
               select extract(epoch from run_at - now())::float8 * 1000
                 from _private_jobs where is_available order by priority, run_at limit 1
             ) as "dueInMs"`, options);
    [known, last] = [own, performance.now()];
    for (const { task, attempts } of released) {
      log.warn({ task, attempt: attempts }, 'the process that ran a job is gone; the job will be repeated');
    }
    runner.nudge(due);
    if (isBusy || due > 0) return beatMs;
    return Math.min(idleMs, Math.max(soonMs, Math.ceil(dueInMs ?? idleMs)));
  }

  // Without this catch, `loop` would log an error and lengthen its pauses to up to a minute.
  const beating = loop('jobs', beatMs, () => beat().catch((error: unknown) => {
    log.debug({ error }, 'this replica could not look for jobs');
    return beatMs;
  }), log);
  const look = (): void => beating.wake(beatMs);
  database.notices.on('jobs', look);
  return {
    look,
    [Symbol.asyncDispose]: async () => {
      await beating[Symbol.asyncDispose]();
      if (known === undefined) return;
      const gone = sql`delete from job_replica where name = ${known}`;
      await database.execute(gone, { deadline: deadlineIn(beatMs) }).catch(() => undefined);
    },
  };
}
