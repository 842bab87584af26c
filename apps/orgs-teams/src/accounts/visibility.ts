/**
 * Who may see an organization: everybody, signed-in callers, or members (open-points 3.1). Site admins and its own
 * system admin may see it, too.
 */
export type Visibility = 'public' | 'limited' | 'private';

/** The values of `orgType` in answers (open-points 3.1). */
export const organizationTypes = { ordinary: 0, managerOrigin: 1, client: 2, administrative: 6 } as const;

export type OrganizationType = (typeof organizationTypes)[keyof typeof organizationTypes];

const visibilities: readonly string[] = ['public', 'limited', 'private'];

/**
 * Reads the visibility from the fields `visibility` and `orgType` of a request. If `visibility` is empty or absent,
 * `orgType` names the visibility (open-points 3.1). Neither field sets the type of the organization.
 * @returns the visibility (undefined if the request names none), or in `unusable` the fields with invalid values
 */
export function wantedVisibility(
  visibility: string | undefined, orgType: string | undefined,
): { readonly visibility: Visibility | undefined } | { readonly unusable: readonly ('visibility' | 'orgType')[] } {
  const unusable: ('visibility' | 'orgType')[] = [];
  if (visibility && !visibilities.includes(visibility)) unusable.push('visibility');
  if (orgType !== undefined && !visibilities.includes(orgType)) unusable.push('orgType');
  return unusable.length > 0 ? { unusable } : { visibility: (visibility || orgType) as Visibility | undefined };
}

/** Returns the new type of an organization: with an endpoint, `ordinary` becomes `managerOrigin`; other types stay. */
export function typeWithEndpoint(type: OrganizationType, endpoint: string): OrganizationType {
  return type === organizationTypes.ordinary && endpoint !== '' ? organizationTypes.managerOrigin : type;
}
