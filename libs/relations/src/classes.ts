import type { ObjectType } from './table.ts';
import { rowsOf } from './table.ts';

/**
 * A class of objects on which a principal holds the same relations. `own_team` and `own_owners_team`: the principal is
 * this team. `team` and `owners_team`: the same teams for all other principals. `token`: a token of an organization's
 * system admin. The other `own_…` are objects that a user owns.
 */
export type ObjectClass =
  | 'organization' | 'team' | 'owners_team' | 'own_team' | 'own_owners_team' | 'role' | 'cluster' | 'contract'
  | 'robot_account' | 'token' | 'cluster_set' | 'administrative_organization'
  | 'own_user' | 'own_cluster' | 'own_contract' | 'own_token' | 'own_cluster_set';

/** What is known of a class. */
export interface ClassOfObjects {
  readonly objectClass: ObjectClass;
  readonly type: ObjectType;
  /** `organization`: decided by the structure of an organization. `user`: owned by the principal, a user. */
  readonly owner: 'organization' | 'user';
  /** Every relation that can be checked, ascending: what a site admin holds. */
  readonly checkable: readonly string[];
}

const classes: readonly ClassOfObjects[] = [
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

const byClass = new Map(classes.map((known) => [known.objectClass, known]));

/** Every class. */
export const objectClasses: readonly ClassOfObjects[] = classes;

/** What is known of a class. */
export function describeClass(objectClass: ObjectClass): ClassOfObjects {
  return byClass.get(objectClass)!;
}

/** Relations that can be checked on a class, ascending; a site admin holds them all. */
export function checkableRelations(objectClass: ObjectClass): readonly string[] {
  return describeClass(objectClass).checkable;
}

/** Relations of the site (`site:main`): only site admins hold them, so the engine is not asked. */
export const siteRelations: readonly string[] = relationsOfType('site');

/** Class of an organization as an object. */
export function organizationClass(administrative: boolean): ObjectClass {
  return administrative
    ? 'administrative_organization'
    : 'organization';
}

/** Class of a team for one principal. @param own the team is the principal itself */
export function teamClass(isOwnersTeam: boolean, own: boolean): ObjectClass {
  if (isOwnersTeam) {
    return own ? 'own_owners_team' : 'owners_team';
  }
  return own ? 'own_team' : 'team';
}

/** Class of any other kind of object; undefined when such an owner cannot have such objects. */
export function objectClassOf(type: string, owner: 'organization' | 'user'): ObjectClass | undefined {
  if (type === 'organization' || type === 'team') return undefined;
  return classes.find((known) => known.type === type && known.owner === owner)?.objectClass;
}

/** What allowed-permissions reports of the relations held (open-points 2.5): only `can_*`, ascending. */
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
