import { CheckViolation, type Database } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { ownerClosed } from './faults.ts';
import { ownerOpenConstraint, type OwnedTable } from './owned-table.ts';
import { findClosedOwners } from './store/closed-owners.ts';

/**
 * Runs `write`, which adds rows for these owners or moves rows to them.
 * @throws Fault CONFLICT with the closed owners, if `write` failed because an owner is closed; other errors of `write`
 */
export async function nameClosedOwners<Result>(
  database: Database, table: Pick<OwnedTable<never>, 'type' | 'plural' | 'key'>, ownerIds: readonly number[],
  deadline: Deadline, write: () => Promise<Result>,
): Promise<Result> {
  return write().catch(async (error: unknown) => {
    if (!(error instanceof CheckViolation) || error.constraint !== ownerOpenConstraint(table)) throw error;
    throw ownerClosed(table, await findClosedOwners(database, ownerIds, { deadline }));
  });
}
