import type { Database } from '@platform/postgres';
import type { ReopenOwnerRequest, ReopenOwnerResponse } from '@platform/proto/owners/v1/owners';
import type { CallContext } from '@platform/rpc';
import { idsFromFields } from '../read-ids.ts';
import { lockOwnerAlone, removeClosedOwner } from '../store/closed-owners.ts';

/** Takes the same lock as closing, so that a close under way is waited for and not missed. */
export function reopenOwner(database: Database) {
  return async (request: ReopenOwnerRequest, { deadline }: CallContext): Promise<ReopenOwnerResponse> => {
    const { ownerId } = idsFromFields({ ownerId: request.ownerId });
    await database.transact(async (transaction) => {
      await lockOwnerAlone(transaction, ownerId);
      await removeClosedOwner(transaction, ownerId);
    }, { deadline });
    return {};
  };
}
