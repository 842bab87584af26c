import { Fault } from '@platform/faults';
import { type Listed, pageOf } from '@platform/lists';
import type { ContractServiceService, ListAuditEventsResponse } from '@platform/proto/contracts/v1/contract';
import type { UserContractServiceService } from '@platform/proto/contracts/v1/user_contract';
import type { Handler } from '@platform/rpc';
import { namedOwner } from '../accounts/scope.ts';
import { contractMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { secondsOf } from '../values.ts';
import { type EventRow, readEvents } from './events.ts';

/** GET /contracts/{id}/audit (spec §4.3). */
export function listAuditEvents({ database, config }: Parts): Handler<typeof ContractServiceService.listAuditEvents> {
  return async (request, context) => {
    const page = pageOf(request, config);
    const listed = await readEvents(database, request.id, namedOwner(context), page, context.deadline);
    if (listed === undefined) throw contractMissing();
    return toList(listed);
  };
}

/** GET /user/contracts/{id}/audit (spec §4.4): 403, not 404, if the account has no such contract. */
export function listUserAuditEvents(
  { database, config }: Parts,
): Handler<typeof UserContractServiceService.listUserAuditEvents> {
  return async (request, { account, deadline }) => {
    const listed = await readEvents(database, request.id, account.id, pageOf(request, config), deadline);
    if (listed === undefined) throw new Fault('FORBIDDEN', 'the account has no such contract');
    return toList(listed);
  };
}

function toList({ items, total, next }: Listed<EventRow>): ListAuditEventsResponse {
  const events = items.map(({ id, contractId, addedBy, event, createdAt }) => ({
    id, contractId, addedBy, event, createdUnix: secondsOf(createdAt),
  }));
  return { events, total, next };
}
