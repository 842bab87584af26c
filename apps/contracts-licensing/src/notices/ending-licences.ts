import { type Database, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/**
 * Notes licences that end soon, once each, unless a later one took their place: when a tenth of their time is left, but
 * at most 10 days. The trigger on `licence` makes an event for webhooks of each (ADR 0270).
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
