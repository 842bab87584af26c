import { Fault } from '@platform/faults';

/** The text is the same for unknown, expired and revoked tokens, and for tokens of inactive users (open-points 1.3). */
export function invalidToken(): Fault {
  return new Fault('UNAUTHENTICATED', 'invalid token');
}

export function accountDisabled(): Fault {
  return new Fault('ACCOUNT_DISABLED', 'signing in is prohibited for this account; ask a platform administrator');
}

/** A change would remove the last owner of an organization, or the last site admin who can sign in. */
export function lastOwner(message: string): Fault {
  return new Fault('LAST_OWNER', message);
}

/**
 * A request would delete the team Owners, change its properties, or give it a role (open-points 2.7, 3.5). A batch of
 * memberships for the administrative team Owners is refused too.
 */
export function ownersTeamImmutable(message: string): Fault {
  return new Fault('OWNERS_TEAM_IMMUTABLE', message);
}

/** The fault if a team would get more custom roles than the setting `limits.rolesPerTeam` permits (open-points 1.9). */
export function tooManyRoles(message: string): Fault {
  return new Fault('TOO_MANY_ROLES', message);
}

export function notSelf(): Fault {
  return new Fault('NOT_SELF', 'this is only possible for your own account');
}

/** Site admins stay owners of the administrative organization while they are site admins (open-points 1.10). */
export function siteAdminProtected(): Fault {
  const message = 'a site admin stays an owner of the administrative organization: remove the site admin flag instead';
  return new Fault('SITE_ADMIN_PROTECTED', message);
}

/** The text does not name the organization, so that nobody can find the name for an id (open-points 3.6). */
export function targetIsOrganization(): Fault {
  return new Fault('TARGET_IS_ORGANIZATION', 'the given account is an organization: only users can be in a team');
}

export function targetInactive(): Fault {
  return new Fault('INVALID_VALUE', 'the account of this user is not active');
}

export function notInTeam(): Fault {
  return new Fault('NOT_FOUND', 'there is no such member of the team');
}

export function notAMember(): Fault {
  return new Fault('NOT_FOUND', 'there is no such member of the organization');
}

/** The given name is not a domain that an e-mail address can have after the `@` (open-points 10). */
export function invalidDomain(): Fault {
  const message = 'must be a domain such as example.com, without a wildcard or an @';
  return new Fault('INVALID_DOMAIN', `name ${message}`, { violations: [{ path: 'name', message }] });
}

/** An organization lacks its hidden system admin, the account that owns its tokens. */
export function systemAdminMissing(): Fault {
  const message = 'this organization has no system admin; ask an administrator of the platform';
  return new Fault('SYSTEM_ADMIN_MISSING', message);
}

/** The method is for users only, and the caller uses the token of an organization (open-points 18.1). */
export function peopleOnly(): Fault {
  return new Fault('FORBIDDEN', 'this needs the token of a user, not of an organization');
}

/**
 * A mail link, a launcher link, or a sign-in through a provider is invalid or has expired. The message is the same for
 * every reason.
 */
export function linkExpired(): Fault {
  return new Fault('LINK_EXPIRED', 'this link or sign-in is invalid or has expired, or belongs to another browser');
}
