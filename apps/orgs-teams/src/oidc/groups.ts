import { type Queryable, sql } from '@platform/postgres';
import type { OidcProviderSetting } from '@platform/service';
import { findAdministration } from '../accounts/administration.ts';
import { deleteMember, insertMember, readTeamMembers } from '../accounts/members.ts';
import { type Lock, lock } from '../write/locks.ts';
import type { Work } from '../write/write.ts';

/** A team to which the settings map groups of a provider. */
export interface MappedTeam {
  readonly organizationId: number;
  readonly teamId: number;
  readonly isOwners: boolean;
  /** A user in any of these groups becomes a member. */
  readonly groups: readonly string[];
}

/**
 * Returns the mapped teams that exist. `unmapped` contains the other teams of the settings, as `organization/team`. The
 * team Owners of the administrative organization is never mapped. If the settings name it, `unmapped` contains it.
 */
export async function findMappedTeams(
  queryable: Queryable, { groups }: Pick<OidcProviderSetting, 'groups'>,
): Promise<{ readonly teams: readonly MappedTeam[]; readonly unmapped: readonly string[] }> {
  if (groups.length === 0) return { teams: [], unmapped: [] };
  const administration = await findAdministration(queryable);
  const teams = await queryable.query(sql<MappedTeam & { readonly named: readonly string[] }>`
    select team.organization_id as "organizationId", team.id as "teamId", team.is_owners as "isOwners",
           array_agg(mapped."group") as groups, array_agg(mapped.organization || '/' || mapped.team) as named
      from jsonb_to_recordset(${sql.json(groups)}::jsonb) as mapped ("group" text, organization text, team text)
      join account on lower(account.name collate "C") = lower(mapped.organization collate "C")
                  and account.kind = 'organization'
      join team on team.organization_id = account.id
               and lower(team.name collate "C") = lower(mapped.team collate "C")
     where team.id <> ${administration?.ownersTeamId ?? 0}
     group by team.organization_id, team.id, team.is_owners
     order by team.id`);
  const named = new Set(teams.flatMap((one) => one.named));
  const wanted = groups.map(({ organization, team }) => `${organization}/${team}`);
  return { teams, unmapped: [...new Set(wanted)].filter((one) => !named.has(one)) };
}

/** Returns the locks on teams and organizations that {@link followGroups} needs. */
export function locksOfTeams(teams: readonly MappedTeam[]): Lock[] {
  return teams.flatMap(({ organizationId, teamId, isOwners }) => [
    lock.permission(organizationId), isOwners ? lock.team(teamId) : lock.teamStays(teamId),
  ]);
}

/**
 * Adds the user to the teams to which the user's groups are mapped. Removes the user from the other mapped teams. Does
 * not remove the last owner of an organization (open-points 3.3).
 */
export async function followGroups(
  work: Work, teams: readonly MappedTeam[], userId: number, groups: readonly string[],
): Promise<void> {
  for (const { organizationId, teamId, isOwners, groups: wanted } of teams) {
    const membership = { organizationId, teamId, userId };
    const isWanted = wanted.some((group) => groups.includes(group));
    if (!isWanted && isOwners && (await readTeamMembers(work, teamId)).every((id) => id === userId)) continue;
    const changed = await (isWanted ? insertMember(work, membership) : deleteMember(work, membership));
    if (!changed) continue;
    work.audit({
      action: isWanted ? 'team.add_member' : 'team.remove_member', object: `team:${teamId}`, organizationId,
      subjectIds: [userId], details: { userId, by: 'groups' },
    });
  }
}
