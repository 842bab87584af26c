import type { Principal } from '@platform/proto/orgs/v1/identity';
import { type ObjectClass, objectClassOf, organizationClass, teamClass } from '@platform/relations';
import type { ObjectOwner } from './guard-sources.ts';

/** Returns the class of one object for a principal. It determines the relations of the principal on the object. */
export type ClassOf = (principal: Principal) => ObjectClass;

/**
 * Returns how an object of an organization is classified; undefined if organizations have no objects of this type.
 * `owner` is undefined if the object does not exist or belongs to another account. Such an object counts as an ordinary
 * object of its type (authorization.md R2). Such a team counts as one of the caller's own teams, so that a caller who
 * holds the relation on any team of the organization receives NOT_FOUND (open-points 1.5, 3.6).
 */
export function classOfObject(
  type: string, owner: ObjectOwner | undefined, administrative: boolean,
): ClassOf | undefined {
  if (type === 'team') {
    const isOwnersTeam = owner?.isOwnersTeam === true;
    return ({ teamId }) => teamClass(isOwnersTeam, teamId !== 0 && (owner === undefined || owner.teamId === teamId));
  }
  const objectClass = type === 'organization' ? organizationClass(administrative) : objectClassOf(type, 'organization');
  return objectClass === undefined ? undefined : () => objectClass;
}
