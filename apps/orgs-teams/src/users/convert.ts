import type { AdminUser } from '@platform/proto/orgs/v1/admin';
import type { Profile, User } from '@platform/proto/orgs/v1/user';
import type { OrganizationContext } from '@platform/rpc';
import { avatarUrl } from '../accounts/convert.ts';
import type { PersonRow } from '../accounts/people.ts';
import type { Config } from '../config.ts';
import type { ProfileRow } from './profile.ts';
import type { UserRow } from './reports.ts';
import { type EmailViewer, shownEmail } from './shown-email.ts';

/** `last_login` of someone who never signed in (open-points 3.2). */
const never = new Date(0);

/** Who looks at members of the acting organization: its owners see more of them (open-points 1.10). */
export function viewerOfMembers({ caller, account }: Pick<OrganizationContext, 'caller' | 'account'>): EmailViewer {
  return { caller, ownsList: account.standing.principals.some(({ isOwners }) => isOwners) };
}

/** A user as the viewer may see the user (spec §2.2, open-points 1.10 and 3.2). */
export function toUser(row: UserRow, viewer: EmailViewer, { baseUrl, mailDomain }: Config): User {
  const signedIn = viewer.caller !== undefined;
  return {
    id: row.id,
    login: row.name,
    username: row.name,
    fullName: row.fullName,
    email: shownEmail(row, viewer, mailDomain),
    avatarUrl: avatarUrl(row.avatar, baseUrl),
    language: signedIn ? row.language : '',
    isAdmin: signedIn && row.isAdmin,
    lastLogin: (signedIn ? row.lastLoginAt : undefined) ?? never,
    created: row.createdAt,
    type: 0,
    active: signedIn ? row.active : true,
    prohibitLogin: signedIn && row.prohibitLogin,
    location: row.location,
    website: row.website,
    description: row.description,
    orgAdmin: row.orgAdmin,
    clientOrgUser: row.clientOrgUser,
  };
}

export function toProfile(row: ProfileRow, viewer: EmailViewer, { mailDomain }: Config): Profile {
  return {
    name: row.name,
    fullName: row.fullName,
    email: shownEmail(row, viewer, mailDomain),
    keepEmailPrivate: row.keepEmailPrivate,
    website: row.website,
    location: row.location,
    language: row.language,
    description: row.description,
  };
}

/** A user as the operator's commands show it. */
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
