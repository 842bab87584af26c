import type { Principal } from '@platform/proto/orgs/v1/identity';
import { type ObjectClass, objectClassOf, organizationClass, teamClass } from '@platform/relations';
import type { ObjectOwner } from './guard-sources.ts';

/** Returns the class of one object for a principal. It determines the relations of the principal on the object. */
export type ClassOf = (principal: Principal) => ObjectClass;

/**
 * Returns how to classify an object of an organization. Undefined if organizations have no objects of this type.
 * `owner` is undefined if the object is missing or belongs to another account. Such an object counts as an ordinary one
 * (authorization.md R2). Such a team counts as the caller's own team. A caller with the relation on any team then
 * receives NOT_FOUND (open-points 1.5, 3.6).
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
