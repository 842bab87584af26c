import type { Database } from '@platform/postgres';
import type { CloseOwnerRequest, CloseOwnerResponse } from '@platform/proto/owners/v1/owners';
import type { Handler } from '@platform/rpc';
import { idsFromFields } from '../convert.ts';
import { addClosedOwner, lockOwnerAlone } from '../store/closed-owners.ts';
import { countOfOwner } from '../store/clusters.ts';

/** Closes first and counts then (authorization.md W5): what is not counted is refused, and nothing is neither. */
export function closeOwner(database: Database): Handler<CloseOwnerRequest, CloseOwnerResponse> {
  return async (request, { deadline }) => {
    const { ownerId } = idsFromFields({ ownerId: request.ownerId });
    const held = await database.transact(async (transaction) => {
      await lockOwnerAlone(transaction, ownerId);
      await addClosedOwner(transaction, ownerId);
      return countOfOwner(transaction, ownerId);
    }, { deadline });
    return { held };
  };
}
