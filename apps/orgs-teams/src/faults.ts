import { Fault, type Violation } from '@platform/rpc';

/** A value of the request that is not acceptable, or several: 422 with their paths. */
export function validationFailed(violations: readonly Violation[]): Fault {
  const first = violations[0]!;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  return new Fault('VALIDATION_FAILED', `${first.path} ${first.message}${more}`, { violations });
}

/** Throws when something is wrong. */
export function refuseViolations(violations: readonly Violation[]): void {
  if (violations.length > 0) throw validationFailed(violations);
}

/** Values of the right type that are not acceptable: 400 with their paths. */
export function invalidValue(violations: readonly Violation[]): Fault {
  return new Fault('INVALID_VALUE', `${violations[0]!.path} ${violations[0]!.message}`, { violations });
}

/** A name that a team or a role may not have: 400. */
export function invalidName(problem: string): Fault {
  return new Fault('INVALID_NAME', `the name ${problem}`, { violations: [{ path: 'name', message: problem }] });
}

/** A name that another one already has, ignoring case: of an account, or of a team or role in its organization. */
export function nameTaken(name: string, cause?: unknown): Fault {
  return new Fault('ALREADY_EXISTS', `the name ${name} is taken, choose another one`, { cause });
}

/** The same text whichever of the reasons it is (open-points 1.3). */
export function invalidToken(): Fault {
  return new Fault('UNAUTHENTICATED', 'invalid token');
}

/** Signing in is prohibited for the account. */
export function accountDisabled(): Fault {
  return new Fault('ACCOUNT_DISABLED', 'signing in is prohibited for this account; ask a platform administrator');
}

/** An organization, or the site itself, would be left without an owner. */
export function lastOwner(message: string, organizations: readonly string[] = []): Fault {
  const named = organizations.length > 0 ? { metadata: { organizations: organizations.join(',') } } : {};
  return new Fault('LAST_OWNER', message, named);
}

/** Owners is as it is: its right, its name and that it has no roles (open-points 2.7, 3.5). */
export function ownersTeamImmutable(message: string): Fault {
  return new Fault('OWNERS_TEAM_IMMUTABLE', message);
}

/** A team would have more custom roles than one may have (open-points 1.9). */
export function tooManyRoles(message: string): Fault {
  return new Fault('TOO_MANY_ROLES', message);
}

/** A list is longer than it may be, or would become so (open-points 1.9). */
export function tooManyItems(message: string): Fault {
  return new Fault('TOO_MANY_ITEMS', message);
}

/** Creating organizations is not open to this caller (open-points 3.1). */
export function creationDenied(why: string): Fault {
  return new Fault('ORG_CREATION_DENIED', why);
}
