import type { Principal } from '@platform/proto/orgs/v1/identity';
import { type ObjectClass, objectClassOf, organizationClass, teamClass } from '@platform/relations';
import type { ObjectOwner } from './guard-sources.ts';

/** Returns the class of one object for a principal. The class and the principal's grounds determine the relations. */
export type ClassOf = (principal: Principal) => ObjectClass;

/**
 * Returns a function that classifies an object of an organization. Undefined if organizations own no objects of this
 * type. If the object is missing or belongs to another account, `owner` is undefined. Such an object counts as an
 * ordinary object of the organization (authorization.md R2), and such a team counts as the caller's own team. So a
 * caller who holds the checked relation on at least one team receives NOT_FOUND, not FORBIDDEN (open-points 1.5, 3.6).
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
