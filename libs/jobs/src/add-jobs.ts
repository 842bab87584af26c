import { type Queryable, sql } from '@platform/postgres';

/** A job to add, usually created by a {@link Task}. */
export interface NewJob {
  readonly task: string;
  /** Stored as JSON. */
  readonly payload: object;
  /**
   * A newer job with the same key replaces a waiting job. If the older job already runs, both run, and the older job is
   * not repeated after a failure.
   */
  readonly key?: string;
  /** Delay before the first run, in milliseconds on the clock of the database; default 0. */
  readonly afterMs?: number;
}

/** The largest possible `max_attempts`. Failures do not reach it, because the trigger in setup.ts resets `attempts`. */
export const attemptsWithoutEnd = 32_767;

/**
 * Adds jobs. If several of the jobs have the same key, only the last of them is added. If `queryable` is a transaction,
 * the jobs run after its commit. `queryable` must use the service's schema.
 */
export async function addJobs(queryable: Queryable, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  // Keep only the last job of each key, because the statement would fail on a duplicate key.
  const last = new Map(jobs.map(({ key }, place) => [key, place]));
  const specs = jobs.filter(({ key }, place) => key === undefined || last.get(key) === place)
    .map(({ task, payload, key = null, afterMs = 0 }) => ({ task, payload, key, after_ms: afterMs }));
  await queryable.execute(sql`
    select from add_jobs(array(
      select row(task, payload, null, now() + after_ms * interval '1 millisecond', ${attemptsWithoutEnd}, key, null,
                 null)::job_spec
        from json_to_recordset(${sql.json(specs)}::json)
          as spec (task text, payload json, key text, after_ms double precision)))`);
}
