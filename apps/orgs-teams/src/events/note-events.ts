import { randomUUID } from 'node:crypto';
import { defineTask } from '@platform/jobs';
import { sql } from '@platform/postgres';
import type { AuditNote, Work } from '@platform/writes';
import { eventsOf } from './kinds.ts';

/** Sends what waits for an endpoint. */
export const sendWebhook = defineTask<{ readonly webhookId: number }>('send-webhook');

/** At most one job of an endpoint waits to run at once. Retries have a key of their own, so they never delay it. */
export function sendSoon(webhookId: number) {
  return sendWebhook({ webhookId }, { key: `webhook:${webhookId}` });
}

/**
 * Writes the events that follow from recorded changes, for each endpoint that wants them, in the transaction of the
 * changes. Changes of one subject lock it, so the ids of its deliveries have their order.
 */
export async function noteEvents(work: Work, notes: readonly AuditNote[]): Promise<void> {
  const events = notes.flatMap(eventsOf).map((event, place) => ({
    place, event_id: randomUUID(), organization_id: event.organizationId, kind: event.kind, subject: event.subject,
    data: event.data,
  }));
  if (events.length === 0) return;
  const endpoints = await work.query(sql<{ webhookId: number }>`
    with noted as (
      insert into webhook_delivery (webhook_id, event_id, organization_id, kind, subject, data)
      select webhook.id, event.event_id, event.organization_id, event.kind, event.subject, event.data
        from jsonb_to_recordset(${sql.json(events)}::jsonb)
          as event (place int, event_id uuid, organization_id bigint, kind text, subject text, data jsonb)
        join webhook on webhook.active and event.kind = any (webhook.events)
         and (webhook.organization_id = event.organization_id or webhook.organization_id is null)
       order by event.place, webhook.id
      returning webhook_id
    )
    select distinct webhook_id as "webhookId" from noted`);
  for (const { webhookId } of endpoints) work.effect(sendSoon(webhookId));
}
