import type { JobContext } from '@platform/jobs';
import type { Database } from '@platform/postgres';
import { sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { keptMs } from './kept/store.ts';

/** Rows per statement: few enough not to delay others. */
const batch = 1_000;

/**
 * Deletes audit entries older than `keepMs` milliseconds with {@link deleteOld}. @returns the number of deleted entries
 */
export function deleteOldAudit(database: Database, keepMs: number, deadline: Deadline): Promise<number> {
  return deleteOld(database, 'audit', keepMs, deadline);
}

/** {@link deleteOldAudit} as the work of a schedule. */
export async function applyRetention(database: Database, keepMs: number, { deadline, log }: JobContext): Promise<void> {
  const deleted = await deleteOldAudit(database, keepMs, deadline);
  if (deleted > 0) log.info({ deleted }, 'old audit entries were deleted');
}

/** Deletes expired kept answers (open-points 18.8), as the work of a schedule. */
export async function deleteOldAnswers(database: Database, { deadline }: Pick<JobContext, 'deadline'>): Promise<void> {
  await deleteOld(database, 'kept_answer', keptMs, deadline);
}

/**
 * Deletes rows older than `keepMs` milliseconds, oldest first, until none is left or the deadline aborts. Several
 * replicas may run it at once: each skips the rows that another replica is deleting.
 */
async function deleteOld(database: Database, table: string, keepMs: number, deadline: Deadline): Promise<number> {
  const rows = sql.identifier(table);
  let total = 0;
  for (let deleted = batch; deleted === batch && !deadline.signal.aborted; total += deleted) {
    deleted = await database.execute(sql`
      delete from ${rows}
       where id in (
         select id from ${rows}
          where at < now() - ${keepMs} * interval '1 millisecond'
          order by at for update skip locked limit ${batch}
       )`);
  }
  return total;
}
