import { Fault, type Violation } from '@platform/faults';
import { conflict } from '@platform/values';
import type { OwnedTable } from './owned-table.ts';

type Named = Pick<OwnedTable<never>, 'type' | 'plural' | 'key'>;

export function notOurType({ type, plural }: Named, given: string): Fault {
  const violations = [{ path: 'type', message: `must be ${type}, is ${JSON.stringify(given)}` }];
  return new Fault('INVALID_OBJECT_TYPE', `this service knows ${plural} only`, { violations });
}

/** The rows in `violations` exist already and belong to another account, so they cannot be added. */
export function ownedBySomebodyElse({ type, key }: Named, violations: readonly Violation[]): Fault {
  return new Fault('ALREADY_EXISTS', `a ${type} with this ${key.title} belongs to another account`, { violations });
}

/** The names in `violations` belong to other rows of the same account. */
export function nameTaken({ type }: Pick<Named, 'type'>, violations: readonly Violation[]): Fault {
  return new Fault('ALREADY_EXISTS', `the account has another ${type} with this name`, { violations });
}

/** The account has another row for the same object, such as a cluster with the same UID. */
export function ownedAlready({ type }: Pick<Named, 'type'>): Fault {
  return new Fault('ALREADY_EXISTS', `the account already has this ${type}`);
}

/**
 * The fault for new rows of accounts that are being deleted or were deleted (authorization.md W5). The metadata
 * `closedOwners` lists the ids of these accounts, separated by commas. It is missing if `ownerIds` is empty.
 */
export function ownerClosed({ plural }: Named, ownerIds: readonly number[]): Fault {
  const metadata: Record<string, string> = ownerIds.length === 0 ? {} : { closedOwners: ownerIds.join(',') };
  return conflict(`an account that is being deleted, or was deleted, cannot receive ${plural}`, metadata);
}

/** The fault if the deletion of an account was abandoned, or if a newer deletion has begun (authorization.md W5). */
export function deletionOver(): Fault {
  return conflict('this deletion of the account was abandoned, or a newer deletion has begun');
}

/** The fault if another request deleted or moved some of the rows while this request was adding them. */
export function changedMeanwhile({ plural }: Named): Fault {
  return conflict(`another request is changing the same ${plural}, try again`);
}
