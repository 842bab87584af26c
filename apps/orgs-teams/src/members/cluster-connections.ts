import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';
import type { Membership } from '../accounts/members.ts';

/**
 * Asks that a member of Owners gets a cluster-admin binding on each cluster of the organization (open-points 3.5). The
 * request lasts as long as the membership, so it is never carried out for somebody who was removed.
 * @returns whether it was not asked before
 */
export async function requestClusterConnection(
  queryable: Queryable,
  { organizationId, teamId, userId }: Membership,
): Promise<boolean> {
  const added = await queryable.execute(sql`
    insert into cluster_connection (team_id, user_id, organization_id) values (${teamId}, ${userId}, ${organizationId})
    on conflict do nothing`);
  return added > 0;
}
