import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';
import type { OrganizationType } from '../accounts/visibility.ts';

/** What decides whether a user may delete an organization (open-points 3.1). */
export interface DeletionState {
  readonly orgType: OrganizationType;
  readonly systemAdminId: number;
  /** The user is the only member of Owners. */
  readonly isOnlyOwner: boolean;
}

/** Undefined once the organization is gone. */
export async function readDeletionState(
  queryable: Queryable,
  organizationId: number,
  callerId: number,
): Promise<DeletionState | undefined> {
  return queryable.maybeOne(sql<DeletionState>`
    select organization.org_type as "orgType", system_admin.id as "systemAdminId",
           (select coalesce(bool_and(owner.user_id = ${callerId}), false)
              from team_member owner join team on team.id = owner.team_id
             where team.organization_id = organization.id and team.is_owners) as "isOnlyOwner"
      from organization
      join account system_admin on system_admin.system_admin_of = organization.id
     where organization.id = ${organizationId}`);
}
