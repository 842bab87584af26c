import { type Fragment, type Queryable, sql } from '@platform/postgres';
import type { Membership } from '../accounts/members.ts';

/** The organizations whose only owner is a certain user. */
export interface SoleOwnerships {
  /** Slugs of these organizations, ascending; only the first {@link mostSlugs}. */
  readonly slugs: readonly string[];
  readonly count: number;
}

const mostSlugs = 20;

/** SQL condition on a row `membership` of `team_member`: the user is the only member of this team. */
function isOnlyMember(userId: number): Fragment {
  return sql`membership.user_id = ${userId} and not exists (
    select from team_member other where other.team_id = membership.team_id and other.user_id <> ${userId}
  )`;
}

export async function readSoleOwnerships(queryable: Queryable, userId: number): Promise<SoleOwnerships> {
  const rows = await queryable.query(sql<{ slug: string; count: number }>`
    select account.name as "slug", count(*) over () as "count"
      from team_member membership
      join team on team.id = membership.team_id and team.is_owners
      join account on account.id = membership.organization_id
     where ${isOnlyMember(userId)}
     order by account.name collate "C"
     limit ${mostSlugs}`);
  return { slugs: rows.map(({ slug }) => slug), count: rows[0]?.count ?? 0 };
}

/** Makes `heirs` owners of the organizations whose only owner is the user `userId`. Returns the new memberships. */
export async function leaveOrganizations(
  queryable: Queryable, userId: number, heirs: readonly number[],
): Promise<readonly Membership[]> {
  if (heirs.length === 0) return [];
  return queryable.query(sql<Membership>`
    insert into team_member (team_id, user_id, organization_id)
    select membership.team_id, heir, membership.organization_id
      from team_member membership
      join team on team.id = membership.team_id and team.is_owners
      cross join unnest(${heirs}::bigint[]) heir
     where ${isOnlyMember(userId)}
    returning team_id as "teamId", user_id as "userId", organization_id as "organizationId"`);
}
