import { CheckViolation, type Queryable, sql } from '@platform/postgres';
import { lastOwner } from '../faults.ts';

export interface Membership {
  readonly organizationId: number;
  readonly teamId: number;
  readonly userId: number;
}

/** Adds a user to a team. Returns false if the user was already in the team. */
export async function insertMember(
  queryable: Queryable, { organizationId, teamId, userId }: Membership,
): Promise<boolean> {
  const added = await queryable.execute(sql`
    insert into team_member (team_id, user_id, organization_id) values (${teamId}, ${userId}, ${organizationId})
    on conflict do nothing`);
  return added > 0;
}

/** Removes a user from a team; returns false if the user was not in the team. @throws Fault LAST_OWNER */
export async function deleteMember(queryable: Queryable, { teamId, userId }: Membership): Promise<boolean> {
  return keepingOwners(async () =>
    (await queryable.execute(sql`delete from team_member where team_id = ${teamId} and user_id = ${userId}`)) > 0);
}

/** Removes a user from several teams; returns the number of removed memberships. @throws Fault LAST_OWNER */
export async function deleteMembers(queryable: Queryable, teamIds: readonly number[], userId: number): Promise<number> {
  return keepingOwners(() => queryable.execute(sql`
    delete from team_member where user_id = ${userId} and team_id = any (${teamIds}::bigint[])`));
}

export async function isTeamMember(
  queryable: Queryable, { teamId, userId }: Omit<Membership, 'organizationId'>,
): Promise<boolean> {
  const { found } = await queryable.one(sql<{ found: boolean }>`
    select exists (select from team_member where team_id = ${teamId} and user_id = ${userId}) as "found"`);
  return found;
}

/** Returns the ids of a team's members in ascending order. */
export async function readTeamMembers(queryable: Queryable, teamId: number): Promise<number[]> {
  const rows = await queryable.query(sql<{ userId: number }>`
    select user_id as "userId" from team_member where team_id = ${teamId} order by user_id`);
  return rows.map(({ userId }) => userId);
}

/** Removes a user from all teams; returns the number of removed memberships. @throws Fault LAST_OWNER */
export async function deleteMemberships(queryable: Queryable, userId: number): Promise<number> {
  return keepingOwners(() => queryable.execute(sql`delete from team_member where user_id = ${userId}`));
}

/** Returns the team memberships of a user, ordered by organization and team. */
export async function readMemberships(
  queryable: Queryable, userId: number,
): Promise<(Membership & { isOwners: boolean })[]> {
  return queryable.query(sql<Membership & { isOwners: boolean }>`
    select membership.organization_id as "organizationId", membership.team_id as "teamId",
           membership.user_id as "userId", team.is_owners as "isOwners"
      from team_member membership
      join team on team.id = membership.team_id
     where membership.user_id = ${userId}
     order by membership.organization_id, membership.team_id`);
}

/** Runs `remove`. @throws Fault LAST_OWNER if a trigger finds that no owner would be left (open-points 3.3) */
async function keepingOwners<Result>(remove: () => Promise<Result>): Promise<Result> {
  try {
    return await remove();
  } catch (error) {
    if (error instanceof CheckViolation && error.constraint === 'organization_keeps_an_owner') {
      throw lastOwner('the last owner of an organization cannot leave or be removed: make another user an owner first');
    }
    throw error;
  }
}
