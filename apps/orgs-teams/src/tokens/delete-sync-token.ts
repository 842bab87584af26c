import { notFound } from '@platform/faults';
import type { TokenServiceService } from '@platform/proto/orgs/v1/token';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { type SyncTokenOf, syncTokenHolder } from './get-sync-token.ts';
import { deleteSyncToken as remove } from './sync-tokens.ts';

/** DELETE /orgs/{orgname}/manager/sync-token and …/user-token (spec §4.13, open-points 3.4). */
export function deleteSyncToken(
  { write }: Parts, of: SyncTokenOf,
): Handler<typeof TokenServiceService.deleteSyncToken> {
  return async (_request, context) => {
    const holder = syncTokenHolder(of, context);
    const { organizationId, userId } = holder;
    await write(context, [lock.permission(organizationId)], async (work) => {
      if (!(await remove(work, holder))) throw notFound('there is no such token');
      const details = userId === null ? {} : { userId };
      work.audit({ action: 'sync_token.delete', object: `organization:${organizationId}`, organizationId, details });
    });
    return {};
  };
}
