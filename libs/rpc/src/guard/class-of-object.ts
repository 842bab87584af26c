import type { Principal } from '@platform/proto/orgs/v1/identity';
import { type ObjectClass, objectClassOf, organizationClass, teamClass } from '@platform/relations';
import type { ObjectOwner } from './guard-sources.ts';

/** The class of an object for one of the caller's principals. */
export type ClassOf = (principal: Principal) => ObjectClass;

/**
 * The class of an object of an organization; undefined if organizations have no such objects. A missing or foreign
 * object (`owner` undefined) is treated as an ordinary object of its type (authorization.md R2). A missing team is
 * treated as the caller's own: a caller who holds the relation on any team of the organization gets NOT_FOUND
 * (open-points 1.5, 3.6).
 * @param administrative whether the organization is the administrative one
 */
export function classOfObject(
  type: string,
  owner: ObjectOwner | undefined,
  administrative: boolean,
): ClassOf | undefined {
  if (type === 'team') {
    const isOwnersTeam = owner?.isOwnersTeam === true;
    return ({ teamId }) => teamClass(isOwnersTeam, teamId !== 0 && (owner === undefined || owner.teamId === teamId));
  }
  const objectClass = type === 'organization' ? organizationClass(administrative) : objectClassOf(type, 'organization');
  return objectClass === undefined ? undefined : () => objectClass;
}
