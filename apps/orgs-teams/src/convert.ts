import type { AuditEntry, AdminUser } from '@platform/proto/orgs/v1/admin';
import { AccountKind, type Caller, type OrganizationStanding } from '@platform/proto/orgs/v1/identity';
import type { Organization } from '@platform/proto/orgs/v1/organization';
import type { Role, RolePrincipal } from '@platform/proto/orgs/v1/role';
import type { Team } from '@platform/proto/orgs/v1/team';
import { comparePairs, userObject } from '@platform/relations';
import type { AuditRow } from './audit/reports.ts';
import type { OrganizationRow } from './accounts/read-organization.ts';
import type { RolePrincipalRow, RoleRow } from './roles/reports.ts';
import type { AskedRow, CallerRow } from './standing/standing.ts';
import type { PlacedTeamRow, TeamRow } from './teams/reports.ts';
import type { PersonRow } from './accounts/people.ts';

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
    systemAdminOf: row.systemAdminOf ?? 0,
  };
}

/** Who may know that an organization exists: open-points 3.1. A person's account is known to the person itself. */
export function toOrganizationStanding(row: AskedRow, caller: CallerRow | undefined): OrganizationStanding {
  const own = row.kind === 'person' && row.id === caller?.id;
  const principals = own
    ? [{ user: userObject(row.id), revision: '', pending: false, teamId: 0, isOwners: false }]
    : [...row.principals];
  const visible =
    row.visibility === 'public'
    || (row.visibility === 'limited' && caller !== undefined)
    || principals.length > 0
    || caller?.isAdmin === true;
  const { id, name: slug, administrative } = row;
  const standing = { id, slug, kind: kinds[row.kind], visible, administrative, principals };
  if (row.organization !== null) organizationsBehind.set(standing, row.organization);
  return standing;
}

const organizationsBehind = new WeakMap<OrganizationStanding, OrganizationRow>();

/**
 * The organization a standing tells of, as the same statement read it. Only standings made in this process have one,
 * and those of the guard of this service are.
 */
export function organizationBehind(standing: OrganizationStanding): OrganizationRow {
  const row = organizationsBehind.get(standing);
  if (row === undefined) throw new Error(`the standing in organization ${standing.id} was not made here`);
  return row;
}

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

/** A role as the API shows it (spec §2.1): pairs in the order of the catalogue, teams ascending (open-points 2.7). */
export function toRole(row: RoleRow): Role {
  return {
    id: row.id,
    name: row.name,
    ownerId: row.organizationId,
    description: row.description,
    permissions: row.permissions.toSorted(comparePairs).map(({ namespace, action }) => ({ namespace, action })),
    teamIds: [...row.teamIds],
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** Roles attach to teams only, so only teams are principals of one (open-points 2.7). */
export function toRolePrincipal(row: RolePrincipalRow): RolePrincipal {
  return {
    principalType: 'team',
    principalId: row.id,
    name: row.name,
    description: row.description,
    organizationId: row.organizationId,
    memberCount: row.memberCount,
  };
}

/** A team as lists show it (spec §2.2, open-points 3.5). */
export function toTeam(row: TeamRow): Team {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    organization: undefined,
    permission: row.permission,
    units: undefined,
    type: row.type,
    roleIds: [...row.roleIds],
  };
}

/** A team as answers about it alone show it: with its organization. */
export function toPlacedTeam(row: PlacedTeamRow, baseUrl: string): Team {
  return { ...toTeam(row), organization: toOrganization(row.organization, baseUrl) };
}

/** Never empty: there is always a picture (open-points 3.1). */
export function avatarUrl(avatar: string, baseUrl: string): string {
  return `${baseUrl}/avatars/${avatar}`;
}

export function toAdminUser(row: PersonRow): AdminUser {
  return {
    id: row.id,
    username: row.name,
    email: row.email,
    fullName: row.fullName,
    admin: row.isAdmin,
    active: row.active,
    prohibitLogin: row.prohibitLogin,
    mayCreateOrganization: row.mayCreateOrganization,
  };
}

export function toAuditEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: toTime(row.at),
    actorId: row.actorId ?? 0,
    actor: row.actor,
    action: row.action,
    object: row.object,
    organizationId: row.organizationId ?? 0,
    requestId: row.requestId,
    details: JSON.stringify(row.details),
  };
}

/** RFC3339 in UTC with whole seconds (open-points 1.7). */
function toTime(at: Date): string {
  return at.toISOString().replace(/\.\d{3}Z$/, 'Z');
}
