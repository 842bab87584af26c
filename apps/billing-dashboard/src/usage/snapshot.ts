import { type Database, type Queryable, sql } from '@platform/postgres';
import { type Deadline, remaining } from '@platform/service';

/**
 * Reads a report in one snapshot, so that its parts show the same moment. A statement may take as long as the call.
 * Statements are planned for their values, because owners differ greatly in size. Just-in-time compilation is off,
 * because it takes longer than most reports.
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
