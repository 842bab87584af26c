import { type Queryable, sql } from '@platform/postgres';

/** A job to add; made by a {@link Task}. */
export interface NewJob {
  readonly task: string;
  /** What the handler receives; JSON. */
  readonly payload: object;
  /** At most one job of a key waits: a newer one replaces it. One that runs already runs to its end. */
  readonly key?: string;
  /** How long it waits before its first run, in milliseconds on the clock of the database; default 0. */
  readonly afterMs?: number;
}

/** After so many failures graphile-worker gives up: the most its column holds. setup.ts never lets it come to that. */
export const attemptsWithoutEnd = 32_767;

/**
 * Adds jobs in one statement; of several with one key, the last. In a transaction they run after its commit, and not at
 * all when it is rolled back.
 * `queryable` must belong to the service's schema.
 */
export async function addJobs(queryable: Queryable, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const specs = newest(jobs).map(({ task, payload, key = null, afterMs = 0 }) => {
    return { task, payload, key, after_ms: afterMs };
  });
  await queryable.execute(sql`
    select from add_jobs(array(
      select row(task, payload, null, now() + after_ms * interval '1 millisecond', ${attemptsWithoutEnd}, key, null,
                 null)::job_spec
        from json_to_recordset(${sql.json(specs)}::json)
          as spec (task text, payload json, key text, after_ms double precision)))`);
}

/** Drops jobs whose key a later job has: the statement would fail on a duplicate key. */
function newest(jobs: readonly NewJob[]): readonly NewJob[] {
  const last = new Map(jobs.map(({ key }, place) => [key, place]));
  return jobs.filter(({ key }, place) => key === undefined || last.get(key) === place);
}
