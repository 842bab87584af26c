import { notFound } from '@platform/faults';
import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Handler } from '@platform/rpc';
import type { AuditNote } from '@platform/writes';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { type DeletedToken, deleteToken } from './store.ts';

/** `platform admin token revoke`. */
export function revokeToken({ write }: Parts): Handler<typeof AdminServiceService.revokeToken> {
  return async ({ id }, context) => {
    await write(context, [lock.tokenRemoval(id)], async (work) => {
      const deleted = await deleteToken(work, id);
      if (deleted === undefined) throw notFound(`there is no token ${id}`);
      work.audit(revocationOf(deleted));
    });
    return {};
  };
}

export function revocationOf({ id, accountId, account, name, organizationId }: DeletedToken): AuditNote {
  return {
    action: 'token.revoke', object: `token:${id}`, ...(organizationId === null ? {} : { organizationId }),
    subjectIds: [accountId], details: { accountId, account, name },
  };
}
