import { type Queryable, sql } from '@platform/postgres';
import type { OrganizationType } from '../accounts/visibility.ts';
import { type Lock, lock } from '../write/locks.ts';

/** The values on which the deletion of an organization depends (open-points 3.1). */
export interface DeletionState {
  readonly orgType: OrganizationType;
  readonly systemAdminId: number;
  /**
   * Whether the team Owners has members other than the caller. In an unclaimed standalone organization, the team has no
   * members (open-points 11.8).
   */
  readonly hasOtherOwners: boolean;
}

export async function readDeletionState(
  queryable: Queryable, organizationId: number, callerId: number,
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

/** Returns locks that prevent changes of the organization, its teams and its members until the commit. */
export async function locksOfDeletion(queryable: Queryable, organizationId: number, callerId: number): Promise<Lock[]> {
  const state = await readDeletionState(queryable, organizationId, callerId);
  return [lock.removal(organizationId), ...(state === undefined ? [] : [lock.removal(state.systemAdminId)])];
}
