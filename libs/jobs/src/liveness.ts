import { type Database, sql } from '@platform/postgres';
import { deadlineIn, loop, type Logger } from '@platform/service';
import type { SupervisedRunner } from './runner.ts';
import { makeDueAfterClockChange } from './schedules.ts';
import type { Schedule } from './task.ts';

/**
 * The first value is the interval, in milliseconds, at which a replica looks for jobs while jobs run, and records that
 * it is alive while it runs jobs itself. A replica that has recorded nothing for the second value counts as gone.
 */
const beatMs = 2_000;
const goneAfterMs = 6_000;
/** The longest pause while no job runs and none is due, in milliseconds. Notifications shorten it, but may be lost. */
const idleMs = 15_000;
/** The shortest pause, in milliseconds, so that jobs which become due one after the other share a look. */
const soonMs = 100;
/** The pauses between two checks of the clock, which may have been set back, in milliseconds. */
const clockMs = 10_000;
/** After an outage of PostgreSQL every replica seems gone, so each gets time to record itself before any is judged. */
const beatsBeforeJudging = Math.ceil(goneAfterMs / beatMs);

export interface ReplicaOptions {
  readonly database: Database;
  readonly schedules: readonly Schedule[];
  readonly log: Logger;
  readonly runner: Pick<SupervisedRunner, 'name' | 'nudge'>;
  /** Number of jobs that run at once. */
  readonly concurrency: number;
}

export interface Replicas extends AsyncDisposable {
  /** Makes the replica look soon, because a job has started or the time of a job has changed. */
  look(): void;
}

/** The result of one beat. */
interface Found {
  /** Released jobs of replicas that are gone. */
  readonly released: readonly { readonly task: string; readonly attempts: number }[];
  /** Number of due jobs, at most `concurrency`. */
  readonly due: number;
  /** Whether any replica runs a job, or had one when it was killed. */
  readonly isBusy: boolean;
  /** Milliseconds until the next job is due; null if no job waits. */
  readonly dueInMs: number | null;
}

/**
 * Nudges the workers of this replica when jobs are due, records that this replica is alive while it runs jobs, and
 * releases the jobs of replicas that are gone. A released job runs again after the same pause as a failed job, so a job
 * that kills its process does not run in a tight loop. graphile-worker itself would keep such a job locked for four
 * hours. One statement does all of this, and writes nothing while no job runs. Between jobs, the replica pauses until
 * the next one is due (ADR 0284).
 */
export function watchReplicas({ database, schedules, log, runner, concurrency }: ReplicaOptions): Replicas {
  let beats = 0;
  let known: string | undefined;
  let last = -Infinity;
  let clockCheckedAt = -Infinity;

  /** @returns the pause until the next beat, in milliseconds */
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
    // A time in the future was written before the clock was set back.
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
           set locked_at = null, locked_by = null, last_error = 'the process that ran it is gone'
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
      log.warn({ task, attempt: attempts }, 'a job of a dead process was released');
    }
    runner.nudge(due);
    if (isBusy || due > 0) return beatMs;
    return Math.min(idleMs, Math.max(soonMs, Math.ceil(dueInMs ?? idleMs)));
  }

  // The loop keeps its pace even if a beat fails.
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
