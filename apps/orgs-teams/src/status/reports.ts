import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';

interface StatusRow {
  readonly pendingUnits: number;
  readonly oldestPendingSeconds: number;
  readonly siteAdmins: number;
}

export async function readStatus(queryable: Queryable, deadline: Deadline): Promise<StatusRow> {
  return queryable.one(sql<StatusRow>`
    select (select count(*) from projection_pending) as "pendingUnits",
           coalesce(
             (select greatest(0, extract(epoch from now() - min(created_at)))::bigint from projection_pending), 0
           ) as "oldestPendingSeconds",
           (select count(*) from account where is_admin and active and not prohibit_login) as "siteAdmins"`,
  { deadline });
}
