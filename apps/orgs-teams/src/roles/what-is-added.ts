import type { GrantedRelation, Pair, TeamPermission } from '@platform/relations';
import { pairName, relationsOfPair, relationsOfRight } from '@platform/relations';

/** The state that decides which rights a role gives to which teams. */
export interface RoleState {
  readonly permissions: readonly Pair[];
  readonly teamIds: readonly number[];
}

/** The state that decides what a team may do. */
export interface TeamState {
  /** Undefined for a team that does not exist yet. */
  readonly permission: TeamPermission | undefined;
  readonly roleIds: readonly number[];
}

/**
 * Returns what a change of a role adds (open-points 2.7): for each added team, all pairs of the role; for the other
 * teams, the added pairs. Unchanged grants and removals are not included.
 */
export function addedByRole(before: RoleState, after: RoleState): GrantedRelation[] {
  const gainsTeams = gained(before.teamIds, after.teamIds).length > 0;
  return (gainsTeams ? after.permissions : gainedPairs(before.permissions, after.permissions)).flatMap(grants);
}

/**
 * Returns what a change of a team adds (open-points 2.7): for each added role, all its pairs; for a changed built-in
 * right, everything that the right gives.
 * @param permissionsOf the pairs of a role that is added
 */
export function addedByTeam(
  before: TeamState,
  after: TeamState & { readonly permission: TeamPermission },
  permissionsOf: (roleId: number) => readonly Pair[],
): GrantedRelation[] {
  const byRoles = gained(before.roleIds, after.roleIds).flatMap(permissionsOf).flatMap(grants);
  return after.permission === before.permission ? byRoles : [...relationsOfRight(after.permission), ...byRoles];
}

/** Returns each id once, ascending. Sets of ids are compared and returned in this form. */
export function distinctIds(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** Ids that a change adds. */
export function gained(before: readonly number[], after: readonly number[]): number[] {
  const known = new Set(before);
  return after.filter((id) => !known.has(id));
}

/** Pairs that a change adds. */
export function gainedPairs(before: readonly Pair[], after: readonly Pair[]): Pair[] {
  const known = new Set(before.map(({ namespace, action }) => pairName(namespace, action)));
  return after.filter(({ namespace, action }) => !known.has(pairName(namespace, action)));
}

function grants({ namespace, action }: Pair): readonly GrantedRelation[] {
  return relationsOfPair(namespace, action);
}
