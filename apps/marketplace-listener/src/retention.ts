import { type Database, type Fragment, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/** Maximum number of rows that one statement deletes. It is small, so that no other statement waits long. */
const batch = 1_000;

/** By table, the condition that selects the rows to delete (open-points 13.3). */
const old: Readonly<Record<string, Fragment>> = {
  marketplace_audit: sql`at < now() - interval '24 months'`,
  // While the row exists, a repetition of the notification is recognized.
  notification: sql`received_at < now() - interval '24 months'`,
  // While the row exists, the answer to its expired link is 403. Without the row, the answer is 404.
  archive: sql`expires_at < now() - interval '24 months'`,
  // The last bucket of each dimension stays, because its `counted` is needed to calculate the next bucket.
  usage_bucket: sql`
    state <> 'waiting' and closed_at < now() - interval '90 days' and exists (
      select from usage_bucket later
       where later.subscription_id = usage_bucket.subscription_id and later.dimension = usage_bucket.dimension
         and later.hour > usage_bucket.hour
    )`,
  // An old row no longer delays an evaluation. Without the row, the next check evaluates the claim again.
  claim_check: sql`greatest(ended_at, gives_up_at) < now() - interval '30 days'`,
};

/** Deletes old rows in batches. Stops at the deadline. Several replicas may call this at the same time. */
export async function deleteOldRows(database: Database, deadline: Deadline): Promise<void> {
  for (const [name, isOld] of Object.entries(old)) {
    const table = sql.identifier(name);
    for (let deleted = batch; deleted === batch && !deadline.signal.aborted;) {
      deleted = await database.execute(sql`
        delete from ${table} where ctid = any (array(
          select ctid from ${table} where ${isOld} limit ${batch} for update skip locked
        ))`, { deadline });
    }
  }
}
