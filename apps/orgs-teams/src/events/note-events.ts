import { randomUUID } from 'node:crypto';
import { defineTask, type NewJob } from '@platform/jobs';
import { type Queryable, sql } from '@platform/postgres';
import type { AuditNote, Work } from '@platform/writes';
import { eventsOf, type NewEvent } from './kinds.ts';

/** The task that sends the waiting deliveries of a webhook endpoint. */
export const sendWebhook = defineTask<{ readonly webhookId: number }>('send-webhook');

/**
 * Returns a job that sends the waiting deliveries of an endpoint now. The key of the job permits at most one waiting
 * job per endpoint. Retries have another key, so they do not delay this job.
 */
export function sendSoon(webhookId: number) {
  return sendWebhook({ webhookId }, { key: `webhook:${webhookId}` });
}

/**
 * Writes webhook deliveries for changes, in the transaction of the changes. Each change locks its subject, so the
 * delivery ids of a subject ascend in the order of its changes.
 */
export async function noteEvents(work: Work, notes: readonly AuditNote[]): Promise<void> {
  const events = notes.flatMap(eventsOf).map((event) => ({ ...event, eventId: randomUUID() }));
  for (const job of await writeDeliveries(work, events)) work.effect(job);
}

export interface IdentifiedEvent extends NewEvent {
  /** A UUID. An endpoint gets at most one delivery of an event, even if the event is written several times. */
  readonly eventId: string;
  /** Default: now. */
  readonly occurredAt?: Date;
}

/**
 * Writes deliveries of events in the given order. An active endpoint gets an event if it wants the kind of the event,
 * and belongs to the organization of the event or to the site. It gets no event from before its own creation.
 * @returns the jobs that send the deliveries
 */
export async function writeDeliveries(queryable: Queryable, events: readonly IdentifiedEvent[]): Promise<NewJob[]> {
  if (events.length === 0) return [];
  const given = events.map((event, place) => ({
    place, event_id: event.eventId, organization_id: event.organizationId, kind: event.kind, subject: event.subject,
    data: event.data, occurred_at: event.occurredAt ?? null,
  }));
  const endpoints = await queryable.query(sql<{ webhookId: number }>`
    with noted as (
      insert into webhook_delivery (webhook_id, event_id, organization_id, kind, subject, data, created_at)
      select webhook.id, event.event_id, event.organization_id, event.kind, event.subject, event.data,
             coalesce(event.occurred_at, clock_timestamp())
        from jsonb_to_recordset(${sql.json(given)}::jsonb) as event (
               place int, event_id uuid, organization_id bigint, kind text, subject text, data jsonb,
               occurred_at timestamptz
             )
        join webhook on webhook.active and event.kind = any (webhook.events)
         and (webhook.organization_id = event.organization_id or webhook.organization_id is null)
         and webhook.created_at <= coalesce(event.occurred_at, webhook.created_at)
       order by event.place, webhook.id
          on conflict (webhook_id, event_id) do nothing
      returning webhook_id
    )
    select distinct webhook_id as "webhookId" from noted`);
  return endpoints.map(({ webhookId }) => sendSoon(webhookId));
}
