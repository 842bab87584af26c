import { type Database, sql } from '@platform/postgres';
import { deadlineIn, loop, type Logger } from '@platform/service';
import type { SupervisedRunner } from './runner.ts';
import { makeDueAfterClockChange } from './schedules.ts';
import type { Schedule } from './task.ts';

/** How often a replica records that it is alive, and the silence after which it counts as gone, in milliseconds. */
const beatMs = 2_000;
const goneAfterMs = 6_000;
/** Number of beats between two checks of the clock, which may have been set back. */
const beatsBetweenClockChecks = 5;
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

/** The result of one beat. */
interface Found {
  /** Released jobs of replicas that are gone. */
  readonly released: readonly { readonly task: string; readonly attempts: number }[];
  /** Number of due jobs, at most `concurrency`. */
  readonly due: number;
}

/**
 * Records that this replica is alive, nudges its workers when jobs are due, and releases the jobs of replicas that are
 * gone. A released job runs again after the same pause as a failed job, so a job that kills its process does not run in
 * a tight loop. graphile-worker itself would keep such a job locked for four hours. One statement does all of this, so
 * an idle replica costs little.
 */
export function watchReplicas({ database, schedules, log, runner, concurrency }: ReplicaOptions): AsyncDisposable {
  let beats = 0;
  let known: string | undefined;
  let last = -Infinity;

  async function beat(): Promise<void> {
    const own = runner.name();
    if (own === undefined) return;
    const options = { deadline: deadlineIn(beatMs * 2) };
    const isSteady = own === known && performance.now() - last < beatMs * 3;
    beats = isSteady ? beats + 1 : 1;
    const isJudging = beats > beatsBeforeJudging;
    if (isJudging && beats % beatsBetweenClockChecks === 0) await makeDueAfterClockChange(database, schedules, options);
    // A time in the future was written before the clock was set back.
    const isRecent = sql`between now() - ${goneAfterMs} * interval '1 millisecond' and now() + interval '1 second'`;
    const { released, due } = await database.one(sql<Found>`
      with alive as (
        insert into job_replica (name) values (${own}) on conflict (name) do update set seen_at = now()
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
             ) as "due"`, options);
    [known, last] = [own, performance.now()];
    for (const { task, attempts } of released) {
      log.warn({ task, attempt: attempts }, 'a job of a dead process was released');
    }
    runner.nudge(due);
  }

  // The loop keeps its pace even if a beat fails.
  const beating = loop('jobs', beatMs, () => beat().catch((error: unknown) => {
    log.debug({ error }, 'this replica could not record that it is alive');
  }), log);
  return {
    [Symbol.asyncDispose]: async () => {
      await beating[Symbol.asyncDispose]();
      if (known === undefined) return;
      const gone = sql`delete from job_replica where name = ${known}`;
      await database.execute(gone, { deadline: deadlineIn(beatMs) }).catch(() => undefined);
    },
  };
}
