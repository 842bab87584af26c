import { Fault } from '@platform/faults';

/** The same text for each of the reasons (open-points 1.3). */
export function invalidToken(): Fault {
  return new Fault('UNAUTHENTICATED', 'invalid token');
}

/** Signing in is prohibited for the account. */
export function accountDisabled(): Fault {
  return new Fault('ACCOUNT_DISABLED', 'signing in is prohibited for this account; ask a platform administrator');
}

/** An organization, or the site itself, would be left without an owner. */
export function lastOwner(message: string): Fault {
  return new Fault('LAST_OWNER', message);
}

/** Owners is as it is: its right, its name and that it has no roles (open-points 2.7, 3.5). */
export function ownersTeamImmutable(message: string): Fault {
  return new Fault('OWNERS_TEAM_IMMUTABLE', message);
}

/** A team would have more custom roles than one may have (open-points 1.9). */
export function tooManyRoles(message: string): Fault {
  return new Fault('TOO_MANY_ROLES', message);
}

/** Only for the caller's own account, and another one is named. */
export function notSelf(): Fault {
  return new Fault('NOT_SELF', 'this can be done for the own account only');
}

/** Site admins are owners of the administrative organization for as long as they are site admins (open-points 1.10). */
export function siteAdminProtected(): Fault {
  return new Fault(
    'SITE_ADMIN_PROTECTED',
    'a site admin stays an owner of the administrative organization: take the flag away instead',
  );
}

/** Where a user is wanted, an organization is named. No text names the target: an id would show whose it is (3.6). */
export function targetIsOrganization(): Fault {
  return new Fault('TARGET_IS_ORGANIZATION', 'this is an organization, only users can be in a team');
}

/** A user who cannot sign in any more is not added anywhere. */
export function targetInactive(): Fault {
  return new Fault('INVALID_VALUE', 'the account of this user is not active');
}

/** The user is not in the team. */
export function notInTeam(): Fault {
  return new Fault('NOT_FOUND', 'there is no such member of the team');
}

/** The user is not in the organization. */
export function notAMember(): Fault {
  return new Fault('NOT_FOUND', 'there is no such member of the organization');
}

/** What is no domain that could stand behind the `@` of an address (open-points 10). */
export function invalidDomain(): Fault {
  const message = 'must be a domain such as example.com, without wildcard and @';
  return new Fault('INVALID_DOMAIN', `name ${message}`, { violations: [{ path: 'name', message }] });
}

/** The organization's hidden system admin, whose tokens these are, does not exist. */
export function systemAdminMissing(): Fault {
  return new Fault(
    'SYSTEM_ADMIN_MISSING', 'this organization has no system admin; ask an administrator of the platform',
  );
}

/** What only people have is asked for with a token of an organization (open-points 18.1). */
export function peopleOnly(): Fault {
  return new Fault('FORBIDDEN', 'this needs the token of a user: one of an organization has no such thing');
}

/** The link of a mail or of the launcher opens nothing (any more): one answer for each of the reasons. */
export function linkExpired(): Fault {
  return new Fault('LINK_EXPIRED', 'this link has expired, was used already, or was asked for in another browser');
}
