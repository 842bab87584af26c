import type { Queryable } from '@platform/postgres';
import { sql } from '@platform/postgres';
import type { OrganizationType } from '../accounts/visibility.ts';

/** The data that decides whether a user may delete an organization (open-points 3.1). */
export interface DeletionState {
  readonly orgType: OrganizationType;
  readonly systemAdminId: number;
  /**
   * Whether Owners has members other than the user. A standalone organization has no owner until a user claims it
   * (open-points 11.8).
   */
  readonly hasOtherOwners: boolean;
}

/** Returns undefined when the organization no longer exists. */
export async function readDeletionState(
  queryable: Queryable,
  organizationId: number,
  callerId: number,
): Promise<DeletionState | undefined> {
  return queryable.maybeOne(sql<DeletionState>`
    select organization.org_type as "orgType", system_admin.id as "systemAdminId",
           exists (
             select from team_member owner join team on team.id = owner.team_id
              where team.organization_id = organization.id and team.is_owners and owner.user_id <> ${callerId}
           ) as "hasOtherOwners"
      from organization
      join account system_admin on system_admin.system_admin_of = organization.id
     where organization.id = ${organizationId}`);
}
