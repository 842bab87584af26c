import type { Database } from '@platform/postgres';
import type { CloseOwnerRequest, OwnerServiceService, ReopenOwnerRequest } from '@platform/proto/owners/v1/owners';
import type { Handler } from '@platform/rpc';
import { deletionOver } from '../faults.ts';
import type { OwnedTable } from '../owned-table.ts';
import { idsFromFields } from '../read-ids.ts';
import {
  addClosedOwner, compareMark, findClosedOwners, lockOwnerAlone, removeClosedOwner,
} from '../store/closed-owners.ts';
import { countOfOwner } from '../store/rows.ts';

/**
 * Closes the owner first, so that no row can be added. Then counts the rows that prevent the deletion of the owner
 * (authorization.md W5).
 */
export function closeOwner<TextName extends string>(
  database: Database, table: OwnedTable<TextName>,
): Handler<typeof OwnerServiceService.closeOwner> {
  return async (request, { deadline }) => {
    const { ownerId, mark } = requested(request);
    const held = await database.transact(async (transaction) => {
      await lockOwnerAlone(transaction, ownerId);
      const age = await compareMark(transaction, ownerId, mark);
      const isOpen = async () => (await findClosedOwners(transaction, [ownerId])).length === 0;
      if (age === 'older' || (age === 'same' && (await isOpen()))) throw deletionOver();
      await addClosedOwner(transaction, ownerId);
      return countOfOwner(transaction, table, ownerId);
    }, { deadline });
    return { held };
  };
}

/** Reopens an owner. Takes the same lock as `closeOwner`, so it waits while `closeOwner` runs. */
export function reopenOwner(database: Database): Handler<typeof OwnerServiceService.reopenOwner> {
  return async (request, { deadline }) => {
    const { ownerId, mark } = requested(request);
    await database.transact(async (transaction) => {
      await lockOwnerAlone(transaction, ownerId);
      // If a newer deletion has begun, the call of an older deletion must not reopen the account.
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
