import type { JobContext } from '@platform/jobs';
import { type Database, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { keptMs } from './kept/store.ts';

/** Maximum number of rows in one statement. It is small, so that other statements do not wait long. */
const batch = 1_000;

/** Deletes audit entries older than `keepMs` milliseconds. @returns the number of deleted entries */
export function deleteOldAudit(database: Database, keepMs: number, deadline: Deadline): Promise<number> {
  return deleteOld(database, 'audit', keepMs, deadline);
}

export async function applyRetention(database: Database, keepMs: number, { deadline, log }: JobContext): Promise<void> {
  const deleted = await deleteOldAudit(database, keepMs, deadline);
  if (deleted > 0) log.info({ deleted }, 'old audit entries were deleted');
}

/** Deletes expired answers that were kept for repeated requests (open-points 18.8). */
export async function deleteOldAnswers(database: Database, { deadline }: Pick<JobContext, 'deadline'>): Promise<void> {
  await deleteOld(database, 'kept_answer', keptMs, deadline);
}

/**
 * Deletes rows older than `keepMs` milliseconds in batches. Stops after an incomplete batch, or when the deadline has
 * passed. Several replicas may call it at the same time, because it skips locked rows.
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
