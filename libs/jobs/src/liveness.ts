import { type Database, sql } from '@platform/postgres';
import { deadlineIn, loop, type Logger } from '@platform/service';
import { makeDueAfterClockChange } from './schedules.ts';
import type { Schedule } from './task.ts';

/** How often a replica shows that it is alive, and after what time without a sign it counts as gone. Milliseconds. */
const beatMs = 1_000;
const goneAfterMs = 5_000;
/** A clock that was set back is seen after so many beats. */
const beatsBetweenClockChecks = 5;
/** After an outage of PostgreSQL everybody seems gone: nobody is judged before all had the time to show up again. */
const beatsBeforeJudging = Math.ceil(goneAfterMs / beatMs);

export interface ReplicaOptions {
  readonly database: Database;
  readonly schedules: readonly Schedule[];
  readonly log: Logger;
  /** Under which this replica locks jobs; undefined while it runs none. */
  readonly name: () => string | undefined;
}

/**
 * Shows that this replica is alive, and releases the jobs of those that are gone: they run again, with the pause of a
 * failure, so that a job that kills its process does not do so without rest. graphile-worker itself keeps them locked
 * for four hours.
 */
export function watchReplicas({ database, schedules, log, name }: ReplicaOptions): AsyncDisposable {
  let beats = 0;
  let known: string | undefined;
  let last = -Infinity;

  async function beat(): Promise<void> {
    const own = name();
    if (own === undefined) return;
    const options = { deadline: deadlineIn(beatMs * 2) };
    const isSteady = own === known && performance.now() - last < beatMs * 3;
    beats = isSteady ? beats + 1 : 1;
    await database.execute(sql`
      insert into job_replica (name) values (${own}) on conflict (name) do update set seen_at = now()`, options);
    [known, last] = [own, performance.now()];
    if (beats <= beatsBeforeJudging) return;
    if (beats % beatsBetweenClockChecks === 0) await makeDueAfterClockChange(database, schedules, options);
    // Times in the future were written before the clock was set back.
    const isRecent = sql`between now() - ${goneAfterMs} * interval '1 millisecond' and now() + interval '1 second'`;
    const released = await database.query(sql<{ task: string; attempts: number }>`
      with gone as (
        delete from job_replica where seen_at not ${isRecent}
      )
      update _private_jobs as job
         set locked_at = null, locked_by = null, last_error = 'the process that ran it is gone'
       where locked_by is not null
         and locked_at not ${isRecent}
         and not exists (select from job_replica where name = job.locked_by and seen_at ${isRecent})
      returning (select identifier from _private_tasks where id = task_id) as "task", attempts`, options);
    for (const { task, attempts } of released) {
      log.warn({ task, attempt: attempts }, 'a job of a process that is gone was released');
    }
  }

  // It keeps its pace when it fails, too.
  const beating = loop('jobs', beatMs, () => beat().catch((error: unknown) => {
    log.debug({ error }, 'this replica could not show that it runs jobs');
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
