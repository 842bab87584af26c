import type { Organization } from '@platform/proto/orgs/v1/organization';
import type { OrganizationRow } from './read-organization.ts';

/** An organization as the API shows it (spec §2.2). */
export function toOrganization(row: OrganizationRow, baseUrl: string): Organization {
  return {
    id: row.id,
    username: row.name,
    fullName: row.fullName,
    avatarUrl: avatarUrl(row.avatar, baseUrl),
    description: row.description,
    website: row.website,
    location: row.location,
    managerManagementClusterEndPoint: row.managerEndpoint,
    visibility: row.visibility,
    orgType: row.orgType,
  };
}

/** Never empty: there is always a picture (open-points 3.1). */
export function avatarUrl(avatar: string, baseUrl: string): string {
  return `${baseUrl}/avatars/${avatar}`;
}
