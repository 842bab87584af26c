import type { Queryable } from '@platform/postgres';
import { Fault } from '@platform/faults';
import { invalidValue } from '@platform/values';
import type { Config } from '../config.ts';
import { ownersTeamImmutable, tooManyRoles } from '../faults.ts';
import { type AssignableRole, readAssignableRoles, readTeamsForRoles } from './reports.ts';
import { distinctIds, gained } from './what-is-added.ts';

/**
 * Refuses teams that may not get a role (open-points 2.7). Does not check `rolesPerTeam` for teams in `present`,
 * because they have the role already. The caller must hold the lock of the organization.
 * @throws Fault INVALID_VALUE, OWNERS_TEAM_IMMUTABLE, TOO_MANY_ROLES
 */
export async function refuseTeams(
  queryable: Queryable, organizationId: number, present: readonly number[], wanted: readonly number[],
  { rolesPerTeam }: Pick<Config, 'rolesPerTeam'>,
): Promise<void> {
  const ids = distinctIds(wanted);
  if (ids.length === 0) return;
  const teams = new Map((await readTeamsForRoles(queryable, organizationId, ids)).map((team) => [team.id, team]));
  refuseUnknown('teamIDs', wanted, teams, 'is not a team of this organization');
  if ([...teams.values()].some(({ isOwners }) => isOwners)) {
    throw ownersTeamImmutable('the team Owners may do everything and cannot have roles');
  }
  const full = gained(present, ids).map((id) => teams.get(id)!).find(({ roleCount }) => roleCount >= rolesPerTeam);
  if (full !== undefined) throw tooManyRoles(`the team ${full.name} can have at most ${rolesPerTeam} roles`);
}

/**
 * Refuses roles that a team may not get (open-points 3.5). Does not check `teamsPerRole` for roles in `present`,
 * because the team has them already. The caller must hold the lock of the organization.
 * @returns the wanted roles by id
 * @throws Fault INVALID_VALUE, TOO_MANY_ITEMS
 */
export async function assignableRoles(
  queryable: Queryable, organizationId: number, present: readonly number[], wanted: readonly number[],
  { teamsPerRole }: Pick<Config, 'teamsPerRole'>,
): Promise<ReadonlyMap<number, AssignableRole>> {
  const ids = distinctIds(wanted);
  if (ids.length === 0) return new Map();
  const roles = new Map((await readAssignableRoles(queryable, organizationId, ids)).map((role) => [role.id, role]));
  refuseUnknown('assignedRoleIDs', wanted, roles, 'is not a role of this organization');
  const full = gained(present, ids).find((id) => roles.get(id)!.teamCount >= teamsPerRole);
  if (full !== undefined) throw new Fault('TOO_MANY_ITEMS', `the role ${full} can have at most ${teamsPerRole} teams`);
  return roles;
}

function refuseUnknown(
  path: string, wanted: readonly number[], known: ReadonlyMap<number, unknown>, message: string,
): void {
  const violations = wanted.flatMap((id, index) => (known.has(id) ? [] : [{ path: `${path}[${index}]`, message }]));
  if (violations.length > 0) throw invalidValue(violations);
}
