import { type Queryable, sql } from '@platform/postgres';

/** A job to add, usually created by a {@link Task}. */
export interface NewJob {
  readonly task: string;
  /** Stored as JSON. */
  readonly payload: object;
  /** A newer job with the same key replaces a waiting job. If the older job already runs, it is not repeated. */
  readonly key?: string;
  /** Delay before the first run, in milliseconds on the clock of the database; default 0. */
  readonly afterMs?: number;
}

/** The largest `max_attempts` of graphile-worker. The trigger in setup.ts keeps `attempts` below this number. */
export const attemptsWithoutEnd = 32_767;

/**
 * Adds jobs. If several jobs have the same key, only the last is added. In a transaction, the jobs become visible with
 * its commit. `queryable` must use the service's schema.
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
