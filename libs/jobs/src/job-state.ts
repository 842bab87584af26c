import { type Queryable, sql } from '@platform/postgres';
import type { Deadline, FailingJob, QueueState } from '@platform/service';
import { isAlive } from './setup.ts';

export interface TaskState extends QueueState {
  /** Number of unfinished jobs that have failed or were interrupted. */
  readonly failing: number;
}

export async function readTaskStates(queryable: Queryable, deadline: Deadline): Promise<Map<string, TaskState>> {
  const rows = await queryable.query(
    sql<TaskState & { task: string }>`
      select task.identifier as "task",
             count(*) filter (where run_at <= now() or last_error is not null) as "pending",
             coalesce(greatest(extract(epoch from now() - min(run_at)), 0), 0)::float8 as "oldestSeconds",
             count(*) filter (where last_error is not null) as "failing"
        from _private_jobs
        join _private_tasks task on task.id = task_id
       where ${isAlive}
       group by task.identifier`,
    { deadline },
  );
  return new Map(rows.map(({ task, ...state }) => [task, state]));
}

/**
 * Returns unfinished jobs that have failed or were interrupted, and were started at least three times. Returns at most
 * 20 jobs, those with most attempts first.
 */
export async function readFailingJobs(queryable: Queryable, deadline: Deadline): Promise<FailingJob[]> {
  return queryable.query(
    sql<FailingJob>`
      select task.identifier as "task", attempts, last_error as "lastError"
        from _private_jobs
        join _private_tasks task on task.id = task_id
       where ${isAlive} and attempts >= 3 and last_error is not null
       order by attempts desc, _private_jobs.id
       limit 20`,
    { deadline },
  );
}
