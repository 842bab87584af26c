import { type Queryable, sql } from '@platform/postgres';

/** A job to add. */
export interface NewJob {
  /** One of the tasks that the service runs. */
  readonly task: string;
  /** What the task's handler receives; JSON. */
  readonly payload: object;
  /** At most one job of a key waits: a newer one replaces it. */
  readonly key?: string;
  /** Not before. */
  readonly runAt?: Date;
  /** Milliseconds from now, on the clock of the database; instead of `runAt`. */
  readonly afterMs?: number;
}

/** What graphile-worker stores for a task that is tried until it succeeds: the most that its column holds. */
export const attemptsWithoutEnd = 32_767;

/**
 * Adds jobs in one statement. In a transaction they run after its commit, and not at all when it is rolled back. The
 * schema of the service must be the search path.
 */
export async function addJobs(queryable: Queryable, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const specs = jobs.map(({ task, payload, key = null, runAt = null, afterMs = 0 }) => ({
    task, payload, key, run_at: runAt, after_ms: afterMs,
  }));
  await queryable.execute(sql`
    select from add_jobs(array(
      select row(task, payload, null, coalesce(run_at, now() + after_ms * interval '1 millisecond'),
                 ${attemptsWithoutEnd}, key, null, null)::job_spec
        from json_to_recordset(${sql.json(specs)}::json)
          as spec (task text, payload json, key text, run_at timestamptz, after_ms double precision)))`);
}
