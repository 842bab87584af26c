import type { ObjectType } from './relation-row.ts';
import { rowsOf } from './table.ts';

/**
 * A class of objects. A principal holds the same relations on all objects of a class that have the same owner. In
 * `own_team` and `own_owners_team`, the team is the principal. In `team` and `owners_team`, it is not. `token` is a
 * token of the organization's system admin. The other `own_…` classes contain the account and objects of a user.
 */
export type ObjectClass =
  | 'organization' | 'team' | 'owners_team' | 'own_team' | 'own_owners_team' | 'role' | 'cluster' | 'contract'
  | 'robot_account' | 'token' | 'cluster_set' | 'administrative_organization'
  | 'own_user' | 'own_cluster' | 'own_contract' | 'own_token' | 'own_cluster_set';

interface ClassOfObjects {
  readonly objectClass: ObjectClass;
  readonly type: ObjectType;
  /** `organization`: an organization owns the objects. `user`: a user owns them, and is the principal. */
  readonly owner: 'organization' | 'user';
  /** Every relation that can be checked, ascending. A site admin holds all of them. */
  readonly checkable: readonly string[];
}

export const objectClasses: readonly ClassOfObjects[] = [
  classOf('organization', 'organization', 'organization'),
  classOf('team', 'team', 'organization'),
  classOf('owners_team', 'team', 'organization'),
  classOf('own_team', 'team', 'organization'),
  classOf('own_owners_team', 'team', 'organization'),
  classOf('role', 'role', 'organization'),
  classOf('cluster', 'cluster', 'organization'),
  classOf('contract', 'contract', 'organization'),
  classOf('robot_account', 'robot_ac', 'organization'),
  classOf('token', 'token', 'organization'),
  classOf('cluster_set', 'clusterset', 'organization'),
  classOf('administrative_organization', 'organization', 'organization', ['site']),
  classOf('own_user', 'user', 'user'),
  classOf('own_cluster', 'cluster', 'user'),
  classOf('own_contract', 'contract', 'user'),
  classOf('own_token', 'token', 'user'),
  classOf('own_cluster_set', 'clusterset', 'user'),
];

const byClass = new Map(objectClasses.map((known) => [known.objectClass, known]));

export const ownersClasses: ReadonlySet<ObjectClass> = new Set(['owners_team', 'own_owners_team']);
export const ownTeamClasses: ReadonlySet<ObjectClass> = new Set(['own_team', 'own_owners_team']);

export function describeClass(objectClass: ObjectClass): ClassOfObjects {
  return byClass.get(objectClass)!;
}

export function checkableRelations(objectClass: ObjectClass): readonly string[] {
  return describeClass(objectClass).checkable;
}

/** Relations of the site (`site:main`). Only site admins hold them. */
export const siteRelations: readonly string[] = relationsOfType('site');

export function organizationClass(administrative: boolean): ObjectClass {
  return administrative ? 'administrative_organization' : 'organization';
}

/** @param own whether the team is the principal */
export function teamClass(isOwnersTeam: boolean, own: boolean): ObjectClass {
  if (isOwnersTeam) return own ? 'own_owners_team' : 'owners_team';
  return own ? 'own_team' : 'team';
}

/**
 * Returns the class of objects of this type with this kind of owner. Undefined if there is no such class, and for
 * organizations and teams, whose class depends on the object.
 */
export function objectClassOf(type: string, owner: 'organization' | 'user'): ObjectClass | undefined {
  if (type === 'organization' || type === 'team') return undefined;
  return objectClasses.find((known) => known.type === type && known.owner === owner)?.objectClass;
}

/** Selects the relations that are reported as allowed permissions (open-points 2.5): only `can_*`, ascending. */
export function reportedRelations(held: Iterable<string>): string[] {
  return [...held].filter((relation) => relation.startsWith('can_')).sort();
}

function classOf(
  objectClass: ObjectClass, type: ObjectType, owner: 'organization' | 'user', also: readonly ObjectType[] = [],
): ClassOfObjects {
  return { objectClass, type, owner, checkable: [type, ...also].flatMap(relationsOfType).sort() };
}

function relationsOfType(type: ObjectType): string[] {
  return rowsOf(type).map(({ relation }) => relation).sort();
}
