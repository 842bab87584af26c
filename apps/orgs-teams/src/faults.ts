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

/** A name that a user or an organization already has, ignoring case. */
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

/** Creating organizations is not open to this caller (open-points 3.1). */
export function creationDenied(why: string): Fault {
  return new Fault('ORG_CREATION_DENIED', why);
}
