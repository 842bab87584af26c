import { type Database, type Queryable, sql } from '@platform/postgres';
import { type Deadline, remaining } from '@platform/service';

/**
 * Reads a report in one snapshot, so that all parts of the report show the same moment. A statement may run until the
 * deadline of the call. PostgreSQL plans each statement for its parameter values, because some owners have far more
 * objects than others. Just-in-time compilation is off, because the compilation takes longer than most reports.
 */
export function readSnapshot<Result>(
  database: Database, deadline: Deadline, read: (snapshot: Queryable) => Promise<Result>,
): Promise<Result> {
  return database.transact(async (snapshot) => {
    await snapshot.query(sql`
      select set_config('work_mem', '64MB', true), set_config('plan_cache_mode', 'force_custom_plan', true),
             set_config('jit', 'off', true)`);
    return read(snapshot);
  }, { isolation: 'repeatable read', readOnly: true, deadline, statementTimeout: remaining(deadline) });
}
