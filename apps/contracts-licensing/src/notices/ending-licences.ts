import { type Database, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/**
 * Notes each licence that ends soon, once: when a tenth of its validity is left, but at most 10 days; unless a later
 * licence has replaced it. The trigger on `licence` creates a webhook event for each noted licence (ADR 0270).
 */
export async function noteEndingLicences(database: Database, deadline: Deadline): Promise<void> {
  await database.execute(sql`
    update licence set end_noted_at = now()
     where end_noted_at is null and not_after between now() and now() + interval '10 days'
       and not_after - (not_after - not_before) / 10 <= now()
       and not exists (
         select from licence later
          where later.cluster_uid = licence.cluster_uid and later.owner_id = licence.owner_id
            and later.contract_id is not distinct from licence.contract_id and later.not_after > licence.not_after
       )`, { deadline });
}
