import type { CreateTeamRequest, UpdateTeamRequest } from '@platform/proto/orgs/v1/team';
import type { TeamPermission } from '@platform/relations';
import { Fault } from '@platform/faults';
import { validationFailed } from '@platform/values';
import { tooManyRoles } from '../faults.ts';
import { requestedDescription } from '../roles/requested-role.ts';

/**
 * The fields of a team in a request. Without a name in the request, `name` is empty. Other missing fields are
 * undefined. The name is not checked yet, because the rules for names differ for the team Owners.
 */
interface RequestedTeam {
  readonly name: string;
  readonly description: string | undefined;
  readonly permission: TeamPermission | undefined;
  /** The roles in the order of the request, at most as many as a team may have. */
  readonly roleIds: readonly number[] | undefined;
}

const onCreate = ['read', 'write', 'admin'] as const;
const onUpdate = ['read', 'write', 'admin', 'custom'] as const;

/**
 * Reads the team to create from a request (open-points 3.5).
 * @throws Fault INVALID_TEAM_TYPE, VALIDATION_FAILED, INVALID_VALUE, TOO_MANY_ROLES
 */
export function newTeam(
  request: CreateTeamRequest, rolesPerTeam: number,
): RequestedTeam & { readonly permission: TeamPermission } {
  const team = requestedTeam(request, onCreate, rolesPerTeam);
  return { ...team, permission: team.permission ?? (team.roleIds === undefined ? 'read' : 'none') };
}

/** Reads the new values of a team from a request (open-points 3.5). @throws Fault as {@link newTeam} */
export function changedTeam(request: UpdateTeamRequest, rolesPerTeam: number): RequestedTeam {
  return requestedTeam(request, onUpdate, rolesPerTeam);
}

function requestedTeam(
  { name = '', type, description, permission, assignedRoleIds }: CreateTeamRequest | UpdateTeamRequest,
  permissions: readonly TeamPermission[],
  rolesPerTeam: number,
): RequestedTeam {
  if (type !== undefined && type !== 'kubernetes') {
    throw new Fault('INVALID_TEAM_TYPE', 'the type of a team must be kubernetes');
  }
  const right = permissions.find((one) => one === permission);
  if (permission !== undefined && right === undefined) {
    throw validationFailed([{ path: 'permission', message: `must be one of ${permissions.join(', ')}` }]);
  }
  const roleIds = assignedRoleIds?.items;
  if (roleIds !== undefined && roleIds.length > rolesPerTeam) {
    throw tooManyRoles(`a team can have at most ${rolesPerTeam} roles`);
  }
  return { name, description: requestedDescription(description), permission: right, roleIds };
}
