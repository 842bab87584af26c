import { Fault, notFound, type Violation } from '@platform/rpc';

/** Values that no contract can have; `violations` say which and why. */
export function invalidValues(violations: readonly Violation[]): Fault {
  return new Fault('INVALID_VALUE', 'the request has values that are not acceptable', { violations });
}

/** More than one call takes. */
export function tooManyItems(path: string, most: number): Fault {
  const violations = [{ path, message: `has more than ${most} elements` }];
  return new Fault('TOO_MANY_ITEMS', `at most ${most} ${path} in one call`, { violations });
}

/** This service owns objects of one type. */
export function notOurType(type: string): Fault {
  const violations = [{ path: 'type', message: `must be contract, is ${JSON.stringify(type)}` }];
  return new Fault('INVALID_OBJECT_TYPE', 'this service knows contracts only', { violations });
}

export function contractNotFound(): Fault {
  return notFound('contract not found');
}

/** `violations` say which of the contracts given belong to somebody else: they have to be moved. */
export function ownedBySomebodyElse(violations: readonly Violation[]): Fault {
  return new Fault('ALREADY_EXISTS', 'a contract of this idempotency key belongs to another account', { violations });
}

/**
 * Nothing is added for an account that is about to be deleted, or gone (authorization.md W5). `closedOwners` of the
 * metadata names the accounts, separated by commas; it is missing when they have been reopened in between.
 */
export function ownerClosed(ownerIds: readonly number[]): Fault {
  const metadata: Record<string, string> = ownerIds.length === 0 ? {} : { closedOwners: ownerIds.join(',') };
  return new Fault('CONFLICT', 'the account that is to own the contracts is being deleted', { metadata });
}

/** Contracts were deleted while they were put. */
export function changedMeanwhile(): Fault {
  return new Fault('CONFLICT', 'somebody else is changing the same contracts, try again');
}
