import { Fault, notFound, type Violation } from '@platform/faults';
import { conflict } from '@platform/values';
import type { OwnedTable } from './owned-table.ts';

type Named = Pick<OwnedTable<never>, 'type' | 'plural' | 'key'>;

/** The service owns objects of one type. */
export function notOurType({ type, plural }: Named, given: string): Fault {
  const violations = [{ path: 'type', message: `must be ${type}, is ${JSON.stringify(given)}` }];
  return new Fault('INVALID_OBJECT_TYPE', `this service knows ${plural} only`, { violations });
}

export function rowNotFound({ type }: Named): Fault {
  return notFound(`${type} not found`);
}

/** `violations` say which of the rows given belong to somebody else: they have to be moved. */
export function ownedBySomebodyElse({ type, key }: Named, violations: readonly Violation[]): Fault {
  return new Fault('ALREADY_EXISTS', `a ${type} of this ${key.title} belongs to another account`, { violations });
}

/** `violations` say which names another row of the same account has. */
export function nameTaken({ type }: Pick<Named, 'type'>, violations: readonly Violation[]): Fault {
  return new Fault('ALREADY_EXISTS', `the account has another ${type} of this name`, { violations });
}

/**
 * Nothing is added for an account that is about to be deleted, or gone (authorization.md W5). `closedOwners` of the
 * metadata names the accounts, separated by commas; it is missing when they have been reopened in between.
 */
export function ownerClosed({ plural }: Named, ownerIds: readonly number[]): Fault {
  const metadata: Record<string, string> = ownerIds.length === 0 ? {} : { closedOwners: ownerIds.join(',') };
  return conflict(`the account that is to own the ${plural} is being deleted`, metadata);
}

/** A call of a deletion that was given up, or that a newer one has replaced (authorization.md W5). */
export function deletionOver(): Fault {
  return conflict('this deletion of the account was abandoned, or a newer one has begun');
}

/** Rows were deleted while they were put. */
export function changedMeanwhile({ plural }: Named): Fault {
  return conflict(`another request is changing the same ${plural}, try again`);
}
