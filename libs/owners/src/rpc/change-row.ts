import { notFound } from '@platform/faults';
import { type Database, UniqueViolation } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { nameTaken, ownedAlready } from '../faults.ts';
import { nameClosedOwners } from '../name-closed-owners.ts';
import { nameConstraint, type OwnedRow, type OwnedTable } from '../owned-table.ts';
import { idsFromFields } from '../read-ids.ts';
import { move } from '../store/rows.ts';

/**
 * Returns a function that moves a row to another owner.
 * @throws Fault INVALID_VALUE, NOT_FOUND, ALREADY_EXISTS, CONFLICT
 */
export function moveRow<TextName extends string>(database: Database, table: OwnedTable<TextName>) {
  type Request = Partial<Record<'id' | 'ownerId', number | undefined>>;
  return async ({ id, ownerId }: Request, deadline: Deadline): Promise<OwnedRow<TextName>> => {
    const ids = idsFromFields({ id, ownerId });
    const write = () => move(database, table, ids, { deadline });
    const row = await nameClosedOwners(database, table, [ids.ownerId], deadline, write).catch((error: unknown) => {
      if (!(error instanceof UniqueViolation)) throw error;
      throw error.constraint === nameConstraint(table) ? nameTaken(table, []) : ownedAlready(table);
    });
    if (!row) throw notFound(`${table.type} not found`);
    return row;
  };
}
