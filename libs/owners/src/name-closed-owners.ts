import { CheckViolation, type Database } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { ownerClosed } from './faults.ts';
import { ownerOpenConstraint, type OwnedTable } from './owned-table.ts';
import { findClosedOwners } from './store/closed-owners.ts';

/**
 * Runs `write`, which gives rows to these owners. If PostgreSQL refuses rows of a closed owner, throws a fault that
 * names the closed owners.
 * @throws Fault CONFLICT
 */
export async function nameClosedOwners<Result>(
  database: Database, table: Pick<OwnedTable<never>, 'type' | 'plural' | 'key'>, ownerIds: readonly number[],
  deadline: Deadline, write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof CheckViolation) || error.constraint !== ownerOpenConstraint(table)) throw error;
    throw ownerClosed(table, await findClosedOwners(database, ownerIds, { deadline }));
  }
}
