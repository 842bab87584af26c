import type { Database } from '@platform/postgres';
import { sql } from '@platform/postgres';

/** Rows of one statement: short enough to hold up nobody. */
const batch = 1_000;

/**
 * Deletes the entries of the audit that are older than they are to be kept, the oldest first, until none is left. May
 * run on several replicas at once: each passes over the rows another one is deleting.
 * @param keepMs how long an entry is kept, in milliseconds
 * @returns how many were deleted
 */
export async function forgetAudit(database: Database, keepMs: number, stopping: AbortSignal): Promise<number> {
  let forgotten = 0;
  for (let deleted = batch; deleted === batch && !stopping.aborted; forgotten += deleted) {
    deleted = await database.execute(sql`
      delete from audit
       where id in (
         select id from audit
          where at < now() - ${keepMs} * interval '1 millisecond'
          order by at for update skip locked limit ${batch}
       )`);
  }
  return forgotten;
}
