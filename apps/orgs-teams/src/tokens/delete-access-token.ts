import { notFound } from '@platform/faults';
import type { TokenServiceService } from '@platform/proto/orgs/v1/token';
import type { Handler } from '@platform/rpc';
import { findSystemAdmin } from '../accounts/targets.ts';
import { systemAdminMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { deleteTokenOf } from './store.ts';

/** DELETE /orgs/{orgname}/tokens/access-tokens/{id} (spec §4.13). */
export function deleteAccessToken({ write }: Parts): Handler<typeof TokenServiceService.deleteAccessToken> {
  return async ({ id }, context) => {
    const organizationId = context.account.id;
    await write(context, [lock.permission(organizationId), lock.tokenRemoval(id)], async (work) => {
      const accountId = await findSystemAdmin(work, organizationId);
      if (accountId === undefined) throw systemAdminMissing();
      const deleted = await deleteTokenOf(work, accountId, id);
      if (deleted === undefined) throw notFound('token not found');
      const details = { accountId, name: deleted.name };
      work.audit({ action: 'token.revoke', object: `token:${id}`, organizationId, subjectIds: [accountId], details });
    });
    return {};
  };
}
