import type { GrantedRelation, Pair, TeamPermission } from '@platform/relations';
import { pairName, relationsOfPair, relationsOfRight } from '@platform/relations';

interface RoleState {
  readonly permissions: readonly Pair[];
  readonly teamIds: readonly number[];
}

interface TeamState {
  /** Undefined for a team that does not exist yet. */
  readonly permission: TeamPermission | undefined;
  readonly roleIds: readonly number[];
}

/**
 * Returns the relations that the caller must hold to change a role (open-points 2.7). If a team is added, these are the
 * relations of all pairs of the changed role. Otherwise, they are the relations of the added pairs.
 */
export function addedByRole(before: RoleState, after: RoleState): GrantedRelation[] {
  const gainsTeams = gained(before.teamIds, after.teamIds).length > 0;
  return (gainsTeams ? after.permissions : gainedPairs(before.permissions, after.permissions)).flatMap(grants);
}

/**
 * Returns the relations that the caller must hold to change a team (open-points 2.7). These are the relations of all
 * pairs of each added role. If the permission changes, the result also contains {@link relationsOfRight} of the new
 * permission.
 */
export function addedByTeam(
  before: TeamState, after: TeamState & { readonly permission: TeamPermission },
  pairsOf: (roleId: number) => readonly Pair[],
): GrantedRelation[] {
  const byRoles = gained(before.roleIds, after.roleIds).flatMap(pairsOf).flatMap(grants);
  return after.permission === before.permission ? byRoles : [...relationsOfRight(after.permission), ...byRoles];
}

/** Returns each id once, in ascending order. */
export function distinctIds(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

export function gained(before: readonly number[], after: readonly number[]): number[] {
  const known = new Set(before);
  return after.filter((id) => !known.has(id));
}

export function gainedPairs(before: readonly Pair[], after: readonly Pair[]): Pair[] {
  const known = new Set(before.map(({ namespace, action }) => pairName(namespace, action)));
  return after.filter(({ namespace, action }) => !known.has(pairName(namespace, action)));
}

export function grants({ namespace, action }: Pair): readonly GrantedRelation[] {
  return relationsOfPair(namespace, action);
}
