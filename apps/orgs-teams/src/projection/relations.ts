import type { Tuple, TupleFilter } from '@platform/proto/authz/v1/decision';
import type { Pair, TeamPermission } from '@platform/relations';
import {
  administrativeTuples, assignmentTuple, fenceRelation, organizationObject, roleAssignees, roleObject, rolePairTuple,
  siteTuple, systemAdminTuple, teamMembers, teamRightTuple,
} from '@platform/relations';

/**
 * Version of the form of the tuples that {@link tuplesOf} returns. A change of the form needs a higher version. It also
 * needs a migration that sets this version in the table `projection_shape`, and adds the unit `all` of every
 * organization to the table `projection_pending`.
 */
export const shapeVersion = 1;

/**
 * A part of an organization whose tuples are updated together: one team, one role, the assignment of one role to one
 * team, or the organization's own row. `all` is the whole organization.
 */
export type Unit =
  | { readonly kind: 'team'; readonly teamId: number }
  | { readonly kind: 'role'; readonly roleId: number }
  | { readonly kind: 'assignment'; readonly roleId: number; readonly teamId: number }
  | { readonly kind: 'organization' }
  | { readonly kind: 'all' };

/**
 * Parses a unit of the table `projection_pending`: `team:42`, `role:9`, `assignment:9/42`, `organization:3`, `all`.
 * @throws RangeError if the text is not a unit
 */
export function parseUnit(text: string): Unit {
  const [, kind, first, second] = /^([a-z]+)(?::([0-9]+)(?:\/([0-9]+))?)?$/.exec(text) ?? [];
  const id = Number(first);
  if (kind === 'team' && id > 0) return { kind, teamId: id };
  if (kind === 'role' && id > 0) return { kind, roleId: id };
  if (kind === 'assignment' && id > 0 && Number(second) > 0) return { kind, roleId: id, teamId: Number(second) };
  if (kind === 'organization' || kind === 'all') return { kind };
  throw new RangeError(`there is no unit ${text}`);
}

/** The rows that determine the tuples of a whole organization, or of some of its units. */
export interface Structure {
  /** Whether the organization's row exists. */
  readonly exists: boolean;
  /**
   * At most one element, from which the tuples of the unit `organization` follow. Empty if the organization does not
   * exist, or if neither this unit nor `all` was requested.
   */
  readonly own: readonly { readonly administrative: boolean; readonly systemAdminId: number | null }[];
  /** Ids of all roles of the organization. Empty unless the unit `all` was requested. */
  readonly roleIds: readonly number[];
  readonly teams: readonly { readonly id: number; readonly permission: TeamPermission }[];
  readonly pairs: readonly ({ readonly roleId: number } & Pair)[];
  readonly assignments: readonly { readonly roleId: number; readonly teamId: number }[];
}

/** Returns the tuples that an organization should have for these rows. */
export function tuplesOf(organizationId: number, { own, teams, pairs, assignments }: Structure): Tuple[] {
  return [
    ...own.flatMap(({ administrative, systemAdminId }) => [
      siteTuple(organizationId),
      ...(systemAdminId === null ? [] : [systemAdminTuple(organizationId, systemAdminId)]),
      ...(administrative ? administrativeTuples(organizationId) : []),
    ]),
    ...teams.map(({ id, permission }) => teamRightTuple(organizationId, id, permission)),
    ...pairs.map(({ roleId, namespace, action }) => rolePairTuple(organizationId, roleId, { namespace, action })),
    ...assignments.map(({ roleId, teamId }) => assignmentTuple(roleId, teamId)),
  ];
}

/**
 * Returns filters that find the tuples of a unit. The filter for `all` also finds the organization's fence
 * ({@link fenceFilter}). It does not find the assignments of roles ({@link roleFilter}).
 */
export function filtersOf(organizationId: number, unit: Unit): TupleFilter[] {
  const object = organizationObject(organizationId);
  switch (unit.kind) {
    case 'team':
      return [{ object, relation: '', user: teamMembers(unit.teamId) }];
    case 'role':
      return [{ object, relation: '', user: roleAssignees(unit.roleId) }];
    case 'assignment':
      return [{ object: roleObject(unit.roleId), relation: '', user: teamMembers(unit.teamId) }];
    case 'organization':
      return ownRelations.map((relation) => ({ object, relation, user: '' }));
    case 'all':
      return [{ object, relation: '', user: '' }];
  }
}

/** Relations of the tuples of an organization's own row. They do not depend on ids, so the ids here are 0. */
const ownRelations = [siteTuple(0), systemAdminTuple(0, 0), ...administrativeTuples(0)].map(({ relation }) => relation);

/** Returns the filter that finds the assignments of a role. */
export function roleFilter(roleId: number): TupleFilter {
  return { object: roleObject(roleId), relation: '', user: '' };
}

/** Returns the filter that finds an organization's fence. */
export function fenceFilter(organizationId: number): TupleFilter {
  return { object: organizationObject(organizationId), relation: fenceRelation, user: '' };
}

export function isFence({ relation }: Tuple): boolean {
  return relation === fenceRelation;
}

/** Returns the id of the role if the user of a tuple is `role:{id}#assignee`, otherwise undefined. */
export function roleNamedBy({ user }: Tuple): number | undefined {
  const id = /^role:([1-9][0-9]*)#assignee$/.exec(user)?.[1];
  return id === undefined ? undefined : Number(id);
}

export function tupleKey({ user, relation, object }: Tuple): string {
  return `${object}#${relation}@${user}`;
}
