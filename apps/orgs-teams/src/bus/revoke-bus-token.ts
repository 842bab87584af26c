import { Fault, unavailable } from '@platform/faults';
import type { TokenServiceService } from '@platform/proto/orgs/v1/token';
import type { Handler } from '@platform/rpc';
import { shrink } from '@platform/service';
import { findSystemAdmin } from '../accounts/targets.ts';
import { systemAdminMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { lock } from '../write/locks.ts';
import { revokeBusUser } from './store.ts';

/** Maximum time to wait until the servers have the revocation, in milliseconds. */
const tellMs = 5_000;

/**
 * POST /orgs/{orgname}/tokens/bus-tokens/{id}/revoke (spec §4.13, open-points 3.4). If the servers of the message bus
 * do not have the revocation in time, the answer is 503. The service then sends the revocation to the servers again.
 */
export function revokeBusToken({ bus, write }: Parts): Handler<typeof TokenServiceService.revokeBusToken> {
  return async ({ id }, context) => {
    const organizationId = context.account.id;
    await write(context, [lock.permission(organizationId)], async (work) => {
      const systemAdminId = await findSystemAdmin(work, organizationId);
      if (systemAdminId === undefined) throw systemAdminMissing();
      const revoked = await revokeBusUser(work, systemAdminId, id);
      if (revoked === undefined) throw new Fault('BUS_USER_NOT_FOUND', 'this organization has no such bus account');
      if (revoked.before) return;
      work.audit({
        action: 'bus_account.revoke', object: `bus_account:${id}`, organizationId,
        details: { busPubKey: revoked.publicKey },
      });
    });
    if (!(await bus.tell(organizationId, shrink(context.deadline, tellMs)))) {
      throw unavailable('the revocation is stored, but the message bus');
    }
    return {};
  };
}
