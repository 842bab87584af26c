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

/** Returns the URL of an account's picture. Never empty: every account has a picture (open-points 3.1). */
export function avatarUrl(avatar: string, baseUrl: string): string {
  return `${baseUrl}/avatars/${avatar}`;
}
