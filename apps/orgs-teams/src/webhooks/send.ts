import { rootCertificates } from 'node:tls';
import { addJobs, type JobContext } from '@platform/jobs';
import { AddressRefused, createOutbound, type Outbound, Unreachable } from '@platform/outbound';
import { type Database, sql } from '@platform/postgres';
import { DeadlineExceeded, deadlineIn, remaining } from '@platform/service';
import { coversScope } from '@platform/surface';
import { Webhook } from 'standardwebhooks';
import type { Config } from '../config.ts';
import type { Parts } from '../parts.ts';
import { readRightsByRows } from '../standing/rights-by-rows.ts';
import { eventKinds } from '../events/kinds.ts';
import {
  claim, type Claimed, giveUpWithoutScope, isFirstOfSubject, nextWaiting, noteFailure, noteSuccess, release, switchOff,
  type Waiting,
} from './queue.ts';
import { sendWebhook } from '../events/note-events.ts';
import { readSecrets } from './store.ts';

/** Maximum of the setting `webhooks.timeout` (open-points 18.10), in milliseconds. */
const mostAnswerMs = 10_000;

type Sending = Pick<Parts, 'config' | 'database' | 'sealer' | 'outbound'>;

/** The HTTP client that sends events. It connects to private addresses only if the settings allow them. */
export function webhookOutbound({ webhookNetworks }: Pick<Config, 'webhookNetworks'>): Outbound {
  return createOutbound({ allowed: webhookNetworks });
}

/**
 * Sends the waiting deliveries of an endpoint, one after the other. Claims the endpoint, so that only one run at a time
 * sends. If the process dies, a later run repeats the interrupted delivery.
 */
export async function sendWaiting(sending: Sending, { webhookId }: { readonly webhookId: number }, job: JobContext) {
  const { database } = sending;
  const claimed = await claim(database, webhookId, job.deadline);
  if (claimed === undefined) return;
  if (claimed === 'busy') return later(database, webhookId, job);
  // End the run after a failure, or when too little time is left for one more delivery. So no endpoint occupies a
  // worker for long.
  while (remaining(job.deadline) > 2 * mostAnswerMs - 5_000) {
    const delivery = await nextWaiting(database, webhookId, job.deadline);
    if (delivery === undefined || !(await deliver(sending, claimed, delivery, job))) break;
  }
  await release(database, webhookId, job.deadline);
  await later(database, webhookId, job);
}

/**
 * Adds a job for the next attempt, if a delivery waits and the endpoint is active. The key of this job differs from the
 * key of `sendSoon`. So this job does not replace a waiting job of `sendSoon`.
 */
async function later(database: Database, webhookId: number, { deadline }: JobContext): Promise<void> {
  const next = await database.maybeOne(sql<{ afterMs: number }>`
    select (greatest(0, extract(epoch from
             greatest(min(delivery.next_at), webhook.busy_until) - clock_timestamp())) * 1000)::float8 as "afterMs"
      from webhook join webhook_delivery delivery on delivery.webhook_id = webhook.id and delivery.state = 'waiting'
     where webhook.id = ${webhookId} and webhook.active and ${isFirstOfSubject}
     group by webhook.id`, { deadline });
  if (next === undefined) return;
  await addJobs(database, [sendWebhook({ webhookId }, { key: `webhook:${webhookId}:later`, afterMs: next.afterMs })]);
}

/** Sends one delivery. @returns whether the run may continue with the next delivery */
async function deliver(sending: Sending, endpoint: Claimed, delivery: Waiting, job: JobContext): Promise<boolean> {
  const { database } = sending;
  const { scope } = eventKinds[delivery.kind]!;
  if (!coversScope(endpoint.scopes, scope)) {
    const fields = { webhookId: endpoint.id, delivery: delivery.id, scope };
    job.log.warn(fields, 'a webhook was not delivered: the endpoint lacks the scope that the event requires');
    await giveUpWithoutScope(database, delivery, job.deadline);
    return true;
  }
  if (!(await mayRead(database, endpoint, delivery, job))) {
    await switchOff(database, endpoint.id, 'rights_lost', job.deadline);
    return false;
  }
  const begun = performance.now();
  const status = await post(sending, endpoint, delivery, job);
  // If the run was stopped before there was an answer, the delivery will be repeated.
  if (status === undefined && job.deadline.signal.aborted) return false;
  const tried = { delivery, status, durationMs: Math.round(performance.now() - begun) };
  if (status !== undefined && status >= 200 && status < 300) {
    await noteSuccess(database, endpoint.id, tried, job.deadline);
    return true;
  }
  await noteFailure(database, endpoint.id, tried, job.deadline);
  if (status === 410) await switchOff(database, endpoint.id, 'gone', job.deadline);
  return false;
}

/**
 * Whether the maker of the endpoint may still manage it and read the object of the event (open-points 18.10). The maker
 * is the user who created or last changed the endpoint.
 */
async function mayRead(
  database: Database, { makerId, organizationId }: Claimed, delivery: Waiting, { deadline }: JobContext,
): Promise<boolean> {
  if (makerId === null) return false;
  if (organizationId === null) {
    const admin = sql`select from account where id = ${makerId} and is_admin and active and not prohibit_login`;
    return (await database.maybeOne(admin, { deadline })) !== undefined;
  }
  const { demands } = eventKinds[delivery.kind]!;
  if (demands === 'site') return false;
  const rights = await readRightsByRows(database, makerId, organizationId, deadline);
  const manages = { objectClass: 'organization', relation: 'can_manage_webhooks' } as const;
  return rights !== undefined && [manages, demands].every((each) => rights.holds(each));
}

/** Posts the event, signed with all valid secrets. @returns the status of the answer; undefined without an answer */
async function post(
  { config, database, sealer, outbound }: Sending, endpoint: Claimed, delivery: Waiting, job: JobContext,
): Promise<number | undefined> {
  const body = JSON.stringify(toCloudEvent(config.baseUrl, delivery));
  const sentAt = new Date();
  const secrets = await readSecrets(database, sealer, endpoint.id);
  const signatures = secrets.map((secret) => new Webhook(secret.reveal()).sign(delivery.eventId, sentAt, body));
  try {
    const answer = await outbound.send(endpoint.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/cloudevents+json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'platform-webhooks',
        'webhook-id': delivery.eventId,
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
        'webhook-signature': signatures.join(' '),
      },
      body,
      ...(config.webhookCa === '' ? {} : { tls: { ca: [...rootCertificates, config.webhookCa].join('\n') } }),
      deadline: deadlineIn(config.webhookTimeout, job.deadline.signal),
    });
    answer.body.on('error', () => undefined).destroy();
    return answer.status;
  } catch (error) {
    if (![AddressRefused, Unreachable, DeadlineExceeded].some((kind) => error instanceof kind)) throw error;
    job.log.info({ webhookId: endpoint.id, delivery: delivery.id, error }, 'a webhook was not delivered');
    return undefined;
  }
}

/**
 * Converts a delivery to a CloudEvent 1.0 in JSON. The source is the URL of the organization. Without an organization,
 * it is the URL of the user in `data.userID`. Without both, it is the base URL.
 */
function toCloudEvent(baseUrl: string, { eventId, kind, subject, data, createdAt, organizationId }: Waiting) {
  const user = typeof data['userID'] === 'number' ? `/users/${data['userID']}` : '';
  const owner = organizationId === null ? user : `/organizations/${organizationId}`;
  return {
    specversion: '1.0', id: eventId, source: `${baseUrl}${owner}`, type: kind, subject,
    time: createdAt.toISOString(), datacontenttype: 'application/json', data,
  };
}
