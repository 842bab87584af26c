import { ObjectClass } from '@platform/proto/authz/v1/decision';
import type { ObjectType } from './table.ts';
import { rowsOf } from './table.ts';

/** A class of objects on which a principal holds the same relations (authorization.md, invariant 4). */
export interface ClassOfObjects {
  readonly objectClass: ObjectClass;
  readonly type: ObjectType;
  /** `organization`: decided by an organization's structure; `user`: what the principal, a user, owns himself. */
  readonly owner: 'organization' | 'user';
  /** Every relation that can be asked, ascending: what a site admin holds. */
  readonly checkable: readonly string[];
}

const classes: readonly ClassOfObjects[] = [
  classOf(ObjectClass.OBJECT_CLASS_ORGANIZATION, 'organization', 'organization'),
  classOf(ObjectClass.OBJECT_CLASS_TEAM, 'team', 'organization'),
  classOf(ObjectClass.OBJECT_CLASS_OWNERS_TEAM, 'team', 'organization'),
  classOf(ObjectClass.OBJECT_CLASS_OWN_TEAM, 'team', 'organization'),
  classOf(ObjectClass.OBJECT_CLASS_OWN_OWNERS_TEAM, 'team', 'organization'),
  classOf(ObjectClass.OBJECT_CLASS_ROLE, 'role', 'organization'),
  classOf(ObjectClass.OBJECT_CLASS_CLUSTER, 'cluster', 'organization'),
  classOf(ObjectClass.OBJECT_CLASS_CONTRACT, 'contract', 'organization'),
  classOf(ObjectClass.OBJECT_CLASS_ROBOT_ACCOUNT, 'robot_ac', 'organization'),
  classOf(ObjectClass.OBJECT_CLASS_TOKEN, 'token', 'organization'),
  classOf(ObjectClass.OBJECT_CLASS_CLUSTER_SET, 'clusterset', 'organization'),
  classOf(ObjectClass.OBJECT_CLASS_ADMINISTRATIVE_ORGANIZATION, 'organization', 'organization', ['site']),
  classOf(ObjectClass.OBJECT_CLASS_OWN_USER, 'user', 'user'),
  classOf(ObjectClass.OBJECT_CLASS_OWN_CLUSTER, 'cluster', 'user'),
  classOf(ObjectClass.OBJECT_CLASS_OWN_CONTRACT, 'contract', 'user'),
  classOf(ObjectClass.OBJECT_CLASS_OWN_TOKEN, 'token', 'user'),
  classOf(ObjectClass.OBJECT_CLASS_OWN_CLUSTER_SET, 'clusterset', 'user'),
];

const byClass = new Map(classes.map((known) => [known.objectClass, known]));

/** Every class, in the order of its number. */
export const objectClasses: readonly ClassOfObjects[] = classes;

/** The class of a number, or undefined when there is none. */
export function describeClass(objectClass: ObjectClass): ClassOfObjects | undefined {
  return byClass.get(objectClass);
}

/** Relations that can be asked on a class, ascending; a site admin holds them all. Throws for an unknown class. */
export function checkableRelations(objectClass: ObjectClass): readonly string[] {
  const known = byClass.get(objectClass);
  if (known === undefined) throw new RangeError(`there is no class of objects ${objectClass}`);
  return known.checkable;
}

/** Relations of the site itself (`site:main`): only site admins hold them, so nobody asks the engine. */
export const siteRelations: readonly string[] = relationsOfType('site');

/** Class of an organization as an object. */
export function organizationClass(administrative: boolean): ObjectClass {
  return administrative
    ? ObjectClass.OBJECT_CLASS_ADMINISTRATIVE_ORGANIZATION
    : ObjectClass.OBJECT_CLASS_ORGANIZATION;
}

/** Class of a team for one principal. @param own the team is the principal itself */
export function teamClass(isOwnersTeam: boolean, own: boolean): ObjectClass {
  if (isOwnersTeam) {
    return own ? ObjectClass.OBJECT_CLASS_OWN_OWNERS_TEAM : ObjectClass.OBJECT_CLASS_OWNERS_TEAM;
  }
  return own ? ObjectClass.OBJECT_CLASS_OWN_TEAM : ObjectClass.OBJECT_CLASS_TEAM;
}

/** Class of any other kind of object. Undefined where such an owner cannot have such objects. */
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
