import type { Organization } from '@platform/proto/orgs/v1/organization';
import type { OrganizationRow } from './read-organization.ts';

/** An organization as the API shows it (spec §2.2). */
export function toOrganization(row: OrganizationRow, baseUrl: string): Organization {
  const { id, name, fullName, avatar, description, website, location, managerEndpoint, visibility, orgType } = row;
  return {
    id, username: name, fullName, avatarUrl: avatarUrl(avatar, baseUrl), description, website, location,
    managerManagementClusterEndPoint: managerEndpoint, visibility, orgType,
  };
}

/** Returns the URL of an account's picture. Never empty: every account has a picture (open-points 3.1). */
export function avatarUrl(avatar: string, baseUrl: string): string {
  return `${baseUrl}/avatars/${avatar}`;
}
