import { type Listed, orderBy, type Page, readPage } from '@platform/lists';
import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { BoundCluster } from './binding-store.ts';

/** Kinds of events of a contract (open-points 5.5). */
type ContractEvent =
  | `contract.${'created' | 'updated' | 'extended' | 'revoked' | 'document_uploaded' | 'preferences_updated'}`
  | `cluster.${'added' | 'removed' | 'renamed' | 'tags_updated'} ${string}`
  | `license.issued ${string}`
  | `quota.threshold_reached ${number}`
  | 'quota.limit_reached'
  | `reminder.sent ${number}`;

export interface NewEvent {
  readonly contractId: number;
  readonly event: ContractEvent;
}

export interface EventRow extends NewEvent {
  readonly id: number;
  readonly addedBy: string;
  readonly createdAt: Date;
}

/** The name of the platform itself in the audit of a contract. */
export const system = 'system';

export function clusterAdded({ contractId, clusterUid }: BoundCluster): NewEvent {
  return { contractId, event: `cluster.added ${clusterUid}` };
}

/** Records events in the transaction of the change that they describe. */
export async function insertEvents(queryable: Queryable, addedBy: string, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await queryable.execute(sql`
    insert into contract_event (contract_id, event, added_by)
    select contract_id, event, ${addedBy}
      from unnest(
             ${events.map(({ contractId }) => contractId)}::bigint[], ${events.map(({ event }) => event)}::text[]
           ) with ordinality as given (contract_id, event, place)
     order by place`);
}

/** Records an event of a contract once per period. @returns whether the event is new in the period */
export async function noteOnce(
  queryable: Queryable, contractId: number, event: ContractEvent, period: string,
): Promise<boolean> {
  const inserted = await queryable.execute(sql`
    insert into contract_notice (contract_id, event, period) values (${contractId}, ${event}, ${period})
        on conflict do nothing`);
  return inserted === 1;
}

/** The month of a moment in UTC, such as `2026-11`. */
export function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

const newestFirst = orderBy({ column: 'id', kind: 'integer', descending: true });

/** Events of a contract, newest first; undefined when there is no such contract, or when its owner is not `ownerId`. */
export function readEvents(
  queryable: Queryable, contractId: number, ownerId: number | undefined, page: Page, deadline: Deadline,
): Promise<Listed<EventRow> | undefined> {
  const owner = ownerId === undefined ? sql`true` : sql`owner_id = ${ownerId}`;
  return readPage<EventRow>(queryable, {
    rows: sql`
      select id, contract_id as "contractId", event, added_by as "addedBy", created_at as "createdAt"
        from contract_event where contract_id = ${contractId}`,
    order: newestFirst,
    count: sql`
      select (select count(*) from contract_event where contract_id = contract.id)
        from contract where id = ${contractId} and ${owner}`,
  }, page, deadline);
}
