import type { Database, Transaction } from '@platform/postgres';
import type {
  CloseOwnerRequest, CloseOwnerResponse, ReopenOwnerRequest, ReopenOwnerResponse,
} from '@platform/proto/owners/v1/owners';
import type { CallContext } from '@platform/rpc';
import { deletionOver } from '../faults.ts';
import type { OwnedTable } from '../owned-table.ts';
import { idsFromFields } from '../read-ids.ts';
import {
  addClosedOwner, compareMark, findClosedOwners, lockOwnerAlone, removeClosedOwner,
} from '../store/closed-owners.ts';
import { countOfOwner } from '../store/rows.ts';

/** Closes the owner first and then counts its rows (authorization.md W5), so every row is either counted or refused. */
export function closeOwner<TextName extends string>(database: Database, table: OwnedTable<TextName>) {
  return async (request: CloseOwnerRequest, { deadline }: CallContext): Promise<CloseOwnerResponse> => {
    const { ownerId, mark } = requested(request);
    const held = await database.transact(async (transaction) => {
      await lockOwnerAlone(transaction, ownerId);
      const age = await compareMark(transaction, ownerId, mark);
      if (age === 'older' || (age === 'same' && !(await isClosed(transaction, ownerId)))) throw deletionOver();
      await addClosedOwner(transaction, ownerId);
      return countOfOwner(transaction, table, ownerId);
    }, { deadline });
    return { held };
  };
}

/** Reopens an owner. Takes the same lock as `closeOwner`, so it waits while `closeOwner` runs. */
export function reopenOwner(database: Database) {
  return async (request: ReopenOwnerRequest, { deadline }: CallContext): Promise<ReopenOwnerResponse> => {
    const { ownerId, mark } = requested(request);
    await database.transact(async (transaction) => {
      await lockOwnerAlone(transaction, ownerId);
      // Do nothing if there is a newer deletion: that deletion has closed the account again, or will reopen it.
      if ((await compareMark(transaction, ownerId, mark)) === 'older') return;
      await removeClosedOwner(transaction, ownerId);
    }, { deadline });
    return {};
  };
}

function requested({ ownerId, mark }: CloseOwnerRequest | ReopenOwnerRequest) {
  const ids = idsFromFields<'ownerId' | 'mark'>({ ownerId, mark: mark ?? 1 });
  return { ownerId: ids.ownerId, mark };
}

async function isClosed(transaction: Transaction, ownerId: number): Promise<boolean> {
  return (await findClosedOwners(transaction, [ownerId])).length > 0;
}
