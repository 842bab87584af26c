import type { AdminUser } from '@platform/proto/orgs/v1/admin';
import type { User } from '@platform/proto/orgs/v1/user';
import type { AuditNote } from '@platform/writes';
import { avatarUrl } from '../accounts/convert.ts';
import type { Membership } from '../accounts/members.ts';
import type { PersonRow } from '../accounts/people.ts';
import type { Config } from '../config.ts';
import { type EmailViewer, shownEmail } from './shown-email.ts';

/** The data of a user for an answer, before private values are masked (spec §2.2). */
export interface UserRow {
  readonly id: number;
  readonly name: string;
  readonly fullName: string;
  readonly email: string;
  readonly keepEmailPrivate: boolean;
  readonly avatar: string;
  readonly language: string;
  readonly isAdmin: boolean;
  readonly lastLoginAt: Date | null;
  readonly createdAt: Date;
  readonly active: boolean;
  readonly prohibitLogin: boolean;
  readonly location: string;
  readonly website: string;
  readonly description: string;
  /** Whether the user is in the team Owners of the organization in the request; false without an organization. */
  readonly orgAdmin: boolean;
  /** Whether the user is a member of at least one client organization. */
  readonly clientOrgUser: boolean;
}

/** `last_login` of a user who never signed in, and in answers to anonymous callers (open-points 3.2). */
const never = new Date(0);

/** Converts a user to the answer for a viewer, with private fields masked (spec §2.2, open-points 1.10 and 3.2). */
export function toUser(row: UserRow, viewer: EmailViewer, { baseUrl, mailDomain }: Config): User {
  const signedIn = viewer !== undefined;
  const { id, name, fullName, location, website, description, orgAdmin, clientOrgUser } = row;
  return {
    id, login: name, username: name, fullName, location, website, description, orgAdmin, clientOrgUser,
    email: shownEmail(row, viewer, mailDomain),
    avatarUrl: avatarUrl(row.avatar, baseUrl),
    language: signedIn ? row.language : '',
    isAdmin: signedIn && row.isAdmin,
    lastLogin: (signedIn ? row.lastLoginAt : undefined) ?? never,
    created: row.createdAt,
    type: 0,
    active: signedIn ? row.active : true,
    prohibitLogin: signedIn && row.prohibitLogin,
  };
}

export function toAdminUser({ name: username, isAdmin: admin, ...row }: PersonRow): AdminUser {
  return { ...row, username, admin };
}

export function membershipNote(
  action: 'team.add_member' | 'team.remove_member', { organizationId, teamId, userId }: Membership,
): AuditNote {
  return { action, object: `team:${teamId}`, organizationId, subjectIds: [userId], details: { userId } };
}
