import { type Queryable, sql } from '@platform/postgres';
import type { BoundCluster } from './binding-store.ts';

/** An event of a contract: `kind` or `kind subject` (open-points 5.5). */
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

/** `addedBy` of the events that no caller causes (open-points 5.5). */
export const system = 'system';

export function clusterAdded({ contractId, clusterUid }: BoundCluster): NewEvent {
  return { contractId, event: `cluster.added ${clusterUid}` };
}

/** Records events. Use the transaction of the change that the events describe. */
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

/** Notes an event of a contract once for each `period`. @returns false if the event is already noted for `period` */
export async function noteOnce(
  queryable: Queryable, contractId: number, event: ContractEvent, period: string,
): Promise<boolean> {
  const inserted = await queryable.execute(sql`
    insert into contract_notice (contract_id, event, period) values (${contractId}, ${event}, ${period})
        on conflict do nothing`);
  return inserted === 1;
}

/** The UTC month of a moment, such as `2026-11`. */
export function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}
