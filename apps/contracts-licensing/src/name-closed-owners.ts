import { CheckViolation, type Database } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { ownerClosed } from './faults.ts';
import { ownerOpenConstraint } from './store/contracts.ts';
import { findClosedOwners } from './store/closed-owners.ts';

/**
 * Does `write`, which gives contracts to these owners, and turns the refusal of PostgreSQL into a fault that names the
 * closed ones among them.
 * @throws Fault
 */
export async function nameClosedOwners<Result>(
  database: Database,
  ownerIds: readonly number[],
  deadline: Deadline,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof CheckViolation) || error.constraint !== ownerOpenConstraint) throw error;
    throw ownerClosed(await findClosedOwners(database, ownerIds, { deadline }));
  }
}
