import type { Principal } from '@platform/proto/orgs/v1/identity';
import { type ObjectClass, objectClassOf, organizationClass, teamClass } from '@platform/relations';
import type { ObjectOwner } from './guard-sources.ts';

/** Which class an object is of, seen by one of the caller's principals. */
export type ClassOf = (principal: Principal) => ObjectClass;

/**
 * The class of an object of an organization. One that is missing or foreign (`owner` undefined) is of the plain kind
 * (authorization.md R2), a team the caller's own: what he may do with some team of the organization, he learns of a
 * missing one that it is missing (open-points 1.5 and 3.6: also who would leave it). Undefined where organizations have
 * no such objects.
 * @param administrative the organization is the administrative one
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
