import { type Database, type QueryOptions, sql } from '@platform/postgres';
import { attemptsWithoutEnd, type NewJob } from './add-jobs.ts';
import type { Schedule } from './task.ts';

// All jobs of a schedule have the same key, so at most one of them waits. Each successful run adds the next job.

function keyOf(name: string): string {
  return `schedule:${name}`;
}

/** Returns a job that runs a schedule now. Add the job with `work.effect` or `addJobs`. */
export function runNow(name: Schedule['name']): NewJob {
  return { task: name, payload: {}, key: keyOf(name) };
}

/** Adds the first run of a schedule, due at once, unless a job of this schedule waits or runs. */
export async function addFirstRun(database: Database, { name }: Schedule): Promise<void> {
  await database.execute(sql`
    select from add_job(
      ${name}, max_attempts => ${attemptsWithoutEnd}, job_key => ${keyOf(name)}, job_key_mode => 'unsafe_dedupe'
    )`);
}

/**
 * Adds the next run, due after `everyMs`. If {@link runNow} has added a run that has not started yet, that run is the
 * next run, and its due time does not change.
 */
export async function addNextRun(database: Database, { name, everyMs }: Schedule): Promise<void> {
  await database.execute(sql`
    select from add_job(
      ${name}, run_at => now() + ${everyMs} * interval '1 millisecond', max_attempts => ${attemptsWithoutEnd},
      job_key => ${keyOf(name)}, job_key_mode => 'preserve_run_at'
    )`);
}

/**
 * Makes jobs due now if they wait too long because the clock of PostgreSQL was set back. A failed job waits at most
 * 5 minutes. Other jobs of a schedule wait at most `everyMs`.
 */
export async function makeDueAfterClockChange(
  database: Database, schedules: readonly Schedule[], options: QueryOptions,
): Promise<void> {
  const keys = schedules.map(({ name }) => keyOf(name));
  const pauses = schedules.map(({ everyMs }) => everyMs);
  await database.execute(sql`
    update _private_jobs as job set run_at = now()
     where is_available
       and case
         when last_error is not null then run_at > now() + interval '301 seconds'
         else exists (
           select from unnest(${keys}::text[], ${pauses}::float8[]) as schedule (key, every_ms)
            where schedule.key = job.key and run_at > now() + (every_ms + 1000) * interval '1 millisecond'
         )
       end`, options);
}
