import type { GrantedRelation, Pair, TeamPermission } from '@platform/relations';
import { pairName, relationsOfPair, relationsOfRight } from '@platform/relations';

/** What decides what a role gives to whom. */
export interface RoleState {
  readonly permissions: readonly Pair[];
  readonly teamIds: readonly number[];
}

/** What decides what a team may do. */
export interface TeamState {
  /** Undefined for a team that is not there yet. */
  readonly permission: TeamPermission | undefined;
  readonly roleIds: readonly number[];
}

/**
 * What a change of a role adds (open-points 2.7): for a team it gains, all pairs it then has; else the pairs it gains.
 * What already stands is not asked again, and taking away adds nothing.
 */
export function addedByRole(before: RoleState, after: RoleState): GrantedRelation[] {
  const gainsTeams = gained(before.teamIds, after.teamIds).length > 0;
  return (gainsTeams ? after.permissions : gainedPairs(before.permissions, after.permissions)).flatMap(grants);
}

/**
 * What a change of a team adds (open-points 2.7): for a role it gains, all its pairs; for its built-in right, when it
 * differs from the present one, all that it gives.
 * @param permissionsOf the pairs of a role the team gains
 */
export function addedByTeam(
  before: TeamState,
  after: TeamState & { readonly permission: TeamPermission },
  permissionsOf: (roleId: number) => readonly Pair[],
): GrantedRelation[] {
  const byRoles = gained(before.roleIds, after.roleIds).flatMap(permissionsOf).flatMap(grants);
  return after.permission === before.permission ? byRoles : [...relationsOfRight(after.permission), ...byRoles];
}

/** Each id once, ascending: how sets of ids are compared and answered. */
export function distinctIds(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** Ids that come with a change. */
export function gained(before: readonly number[], after: readonly number[]): number[] {
  const known = new Set(before);
  return after.filter((id) => !known.has(id));
}

/** Pairs that come with a change. */
export function gainedPairs(before: readonly Pair[], after: readonly Pair[]): Pair[] {
  const known = new Set(before.map(({ namespace, action }) => pairName(namespace, action)));
  return after.filter(({ namespace, action }) => !known.has(pairName(namespace, action)));
}

function grants({ namespace, action }: Pair): readonly GrantedRelation[] {
  return relationsOfPair(namespace, action);
}
