import { type Database, UniqueViolation } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { nameTaken, rowNotFound } from '../faults.ts';
import { nameClosedOwners } from '../name-closed-owners.ts';
import type { OwnedRow, OwnedTable } from '../owned-table.ts';
import { idsFromFields } from '../read-ids.ts';
import { move } from '../store/rows.ts';

interface MoveRequest {
  readonly id?: number | undefined;
  readonly ownerId?: number | undefined;
}

/** @throws Fault INVALID_VALUE, NOT_FOUND, ALREADY_EXISTS, CONFLICT */
export function moveRow<TextName extends string>(database: Database, table: OwnedTable<TextName>) {
  return async (request: MoveRequest, deadline: Deadline): Promise<OwnedRow<TextName>> => {
    const ids = idsFromFields({ id: request.id, ownerId: request.ownerId });
    const write = () => move(database, table, ids, { deadline });
    const row = await nameClosedOwners(database, table, [ids.ownerId], deadline, write).catch((error: unknown) => {
      throw error instanceof UniqueViolation ? nameTaken(table, []) : error;
    });
    if (!row) throw rowNotFound(table);
    return row;
  };
}
