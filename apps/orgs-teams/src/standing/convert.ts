import { AccountKind, type Caller, type OrganizationStanding } from '@platform/proto/orgs/v1/identity';
import { userObject } from '@platform/relations';
import type { OrganizationRow } from '../accounts/read-organization.ts';
import { organizationTypes } from '../accounts/visibility.ts';
import type { AskedRow, CallerRow } from './standing.ts';

const kinds = {
  person: AccountKind.ACCOUNT_KIND_PERSON,
  system_admin: AccountKind.ACCOUNT_KIND_SYSTEM_ADMIN,
  organization: AccountKind.ACCOUNT_KIND_ORGANIZATION,
} as const;

export function toCaller(row: CallerRow): Caller {
  return {
    id: row.id,
    login: row.name,
    kind: kinds[row.kind],
    isAdmin: row.isAdmin,
    tokenId: row.tokenId,
    tokenClusterUid: row.tokenClusterId ?? undefined,
    tokenSlot: row.tokenSlot || undefined,
    systemAdminOf: row.systemAdminOf ?? 0,
    scopes: [...row.scopes],
    tokenEndsAt: row.tokenEndsAt ?? undefined,
  };
}

/**
 * Converts a requested account. `visible` is whether the caller may know that the account exists. A user account is
 * visible only to its user and to site admins. For organizations, see open-points 3.1.
 */
export function toOrganizationStanding(row: AskedRow, caller: CallerRow | undefined): OrganizationStanding {
  const own = row.kind === 'person' && row.id === caller?.id;
  const principals = own
    ? [{ user: userObject(row.id), revision: '', pending: false, teamId: 0, isOwners: false }]
    : [...row.principals];
  const visible = row.visibility === 'public' || (row.visibility === 'limited' && caller !== undefined)
    || principals.length > 0 || caller?.isAdmin === true;
  const { id, name: slug, administrative } = row;
  const client = row.organization?.orgType === organizationTypes.client;
  const standing = { id, slug, kind: kinds[row.kind], visible, administrative, principals, client };
  if (row.organization !== null) organizationsBehind.set(standing, row.organization);
  return standing;
}

const organizationsBehind = new WeakMap<OrganizationStanding, OrganizationRow>();

/**
 * Returns the organization from which {@link toOrganizationStanding} made this standing.
 * @throws Error for a copy of a standing, and for a standing in a user account
 */
export function organizationBehind(standing: OrganizationStanding): OrganizationRow {
  const row = organizationsBehind.get(standing);
  if (row === undefined) {
    throw new Error(`the standing in account ${standing.id} is a copy, or the account is not an organization`);
  }
  return row;
}
