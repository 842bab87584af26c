import { lastContactOf } from '@platform/facts';
import { type Database, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { lostMs } from '@platform/values';

/**
 * Marks clusters that have not reported for some time, and removes the mark when they report again. The trigger on
 * `cluster` creates a webhook event for each lost cluster (ADR 0270).
 */
export async function noteLostClusters(
  database: Database, { deadline }: { readonly deadline: Deadline },
): Promise<void> {
  await database.execute(sql`
    update cluster set lost_at = case when lost_at is null then now() end
     where (lost_at is not null) <> coalesce(
             ${lastContactOf(sql`cluster`)} < now() - ${lostMs}::double precision * interval '1 millisecond', false)`,
  { deadline });
}
