import type { Fault } from '@platform/faults';
import { orderBy, pageOf, readPage } from '@platform/lists';
import { sql } from '@platform/postgres';
import type { ContractServiceService } from '@platform/proto/contracts/v1/contract';
import type { Handler } from '@platform/rpc';
import type { RequiredOwner } from '../accounts/scope.ts';
import type { Parts } from '../parts.ts';
import { secondsOf } from '../values.ts';
import type { NewEvent } from './events.ts';

interface EventRow extends NewEvent {
  readonly id: number;
  readonly addedBy: string;
  readonly createdAt: Date;
}

const newestFirst = orderBy({ column: 'id', kind: 'integer', descending: true });

/** GET …/contracts/{id}/audit, for site admins (spec §4.3) and for users (spec §4.4). */
export function listAuditEvents(
  { database, config }: Parts, requiredOwner: RequiredOwner, missing: () => Fault,
): Handler<typeof ContractServiceService.listAuditEvents> {
  return async (request, context) => {
    const page = pageOf(request, config);
    const ownerId = requiredOwner(context);
    const owner = ownerId === undefined ? sql`true` : sql`owner_id = ${ownerId}`;
    const listed = await readPage<EventRow>(database, {
      rows: sql`
        select id, contract_id as "contractId", event, added_by as "addedBy", created_at as "createdAt"
          from contract_event where contract_id = ${request.id}`,
      order: newestFirst,
      count: sql`
        select (select count(*) from contract_event where contract_id = contract.id)
          from contract where id = ${request.id} and ${owner}`,
    }, page, context.deadline);
    if (listed === undefined) throw missing();
    const events = listed.items.map(({ id, contractId, addedBy, event, createdAt }) => (
      { id, contractId, addedBy, event, createdUnix: secondsOf(createdAt) }));
    return { events, total: listed.total, next: listed.next };
  };
}
