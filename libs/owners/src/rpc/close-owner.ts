import type { Database } from '@platform/postgres';
import type { CloseOwnerRequest, CloseOwnerResponse } from '@platform/proto/owners/v1/owners';
import type { CallContext } from '@platform/rpc';
import type { OwnedTable } from '../owned-table.ts';
import { idsFromFields } from '../read-ids.ts';
import { addClosedOwner, lockOwnerAlone } from '../store/closed-owners.ts';
import { countOfOwner } from '../store/rows.ts';

/** Closes first and counts then (authorization.md W5): what is not counted is refused, and nothing is neither. */
export function closeOwner<TextName extends string>(
  database: Database,
  table: OwnedTable<TextName>,
) {
  return async (request: CloseOwnerRequest, { deadline }: CallContext): Promise<CloseOwnerResponse> => {
    const { ownerId } = idsFromFields({ ownerId: request.ownerId });
    const held = await database.transact(async (transaction) => {
      await lockOwnerAlone(transaction, ownerId);
      await addClosedOwner(transaction, ownerId);
      return countOfOwner(transaction, table, ownerId);
    }, { deadline });
    return { held };
  };
}
