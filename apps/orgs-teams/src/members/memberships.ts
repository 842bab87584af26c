import { type Queryable, sql } from '@platform/postgres';

interface TeamOfUser {
  readonly teamId: number;
  readonly isOwners: boolean;
  /**
   * Whether the user must stay in the team. Site admins must stay in the team Owners of the administrative organization
   * (open-points 1.10).
   */
  readonly isProtected: boolean;
}

/** Returns the user's teams in the organization, by ascending id. With `teamId`, leaves out all other teams. */
export async function readTeamsOfUser(
  queryable: Queryable, organizationId: number, userId: number, teamId?: number,
): Promise<TeamOfUser[]> {
  return queryable.query(sql<TeamOfUser>`
    select team.id as "teamId", team.is_owners as "isOwners",
           team.is_owners and organization.org_type = 6 and account.is_admin as "isProtected"
      from team_member membership
      join team on team.id = membership.team_id
      join organization on organization.id = membership.organization_id
      join account on account.id = membership.user_id
     where membership.user_id = ${userId}
       and membership.organization_id = ${organizationId}
       and (${teamId ?? null}::bigint is null or membership.team_id = ${teamId ?? null}::bigint)
     order by team.id`);
}

/**
 * Returns whether a user is a member, and whether the membership is public. Both are false if no account has this name.
 * @param key the name in the form that `slugKey` returns
 */
export async function readMembershipOf(
  queryable: Queryable, organizationId: number, key: string,
): Promise<{ readonly member: boolean; readonly shown: boolean }> {
  const found = await queryable.maybeOne(sql<{ member: boolean; shown: boolean }>`
    select exists (
             select from team_member where organization_id = ${organizationId} and user_id = account.id
           ) as "member",
           exists (
             select from public_membership where organization_id = ${organizationId} and user_id = account.id
           ) as "shown"
      from account where lower(name collate "C") = ${key}`);
  return found ?? { member: false, shown: false };
}
