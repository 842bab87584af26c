import { randomBytes } from 'node:crypto';
import { type Queryable, sql } from '@platform/postgres';
import { Secret, type Sealed, type Sealer } from '@platform/service';
import type { SealedTable } from '@platform/writes';

/** The owner of endpoints: the id of an organization, or null for the site. */
export type WebhookOwner = number | null;

export interface WebhookRow {
  readonly id: number;
  readonly url: string;
  readonly events: string[];
  readonly active: boolean;
  readonly disabledReason: 'failing' | 'gone' | 'rights_lost' | null;
  readonly failingSince: Date | null;
  readonly createdAt: Date;
}

export const webhookColumns = sql`
  id, url, events, active, disabled_reason as "disabledReason", failing_since as "failingSince", created_at as "createdAt"`;

/** A delivery as the API shows it, without bodies and headers. */
export interface DeliveryRow {
  readonly id: number;
  readonly eventId: string;
  readonly event: string;
  readonly subject: string;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly reason: 'failing' | 'gone' | 'rights_lost' | 'scope_missing' | null;
  readonly attempts: number;
  readonly status: number | null;
  readonly durationMs: number | null;
  readonly createdAt: Date;
  readonly sentAt: Date | null;
}

export const deliveryColumns = sql`
  id, event_id::text as "eventId", kind as "event", subject, state, reason, attempts, status, duration_ms as "durationMs",
  created_at as "createdAt", sent_at as "sentAt"`;

export function ownedBy(owner: WebhookOwner) {
  return sql`organization_id is not distinct from ${owner}::bigint`;
}

export function lockWebhook(queryable: Queryable, owner: WebhookOwner, id: number): Promise<WebhookRow | undefined> {
  return queryable.maybeOne(sql<WebhookRow>`
    select ${webhookColumns} from webhook where id = ${id} and ${ownedBy(owner)} for no key update`);
}

/** Adds a secret to an endpoint. The previous secret stays valid for 24 hours; older secrets are deleted. */
export async function addSecret(queryable: Queryable, sealer: Sealer, webhookId: number): Promise<string> {
  await queryable.execute(sql`
    delete from webhook_secret
     where webhook_id = ${webhookId}
       and id < (select max(id) from webhook_secret newest where newest.webhook_id = ${webhookId})`);
  await queryable.execute(sql`
    update webhook_secret set expires_at = now() + interval '24 hours' where webhook_id = ${webhookId}`);
  const text = `whsec_${randomBytes(32).toString('base64')}`;
  const { keyId, bytes } = sealer.seal(new Secret(text), identityOf({ webhookId }));
  await queryable.execute(sql`
    insert into webhook_secret (webhook_id, sealed_by, sealed_secret) values (${webhookId}, ${keyId}, ${bytes})`);
  return text;
}

/** The valid secrets of a webhook, newest first. @throws SealBroken if a secret cannot be decrypted */
export async function readSecrets(queryable: Queryable, sealer: Sealer, webhookId: number): Promise<Secret[]> {
  const rows = await queryable.query(sql<Sealed>`
    select sealed_by as "keyId", sealed_secret as "bytes"
      from webhook_secret
     where webhook_id = ${webhookId} and (expires_at is null or expires_at > now())
     order by id desc`);
  return rows.map((sealed) => sealer.open(sealed, identityOf({ webhookId })));
}

function identityOf({ webhookId }: { readonly webhookId: number }): string {
  return `webhook/${webhookId}`;
}

/** The table of webhook secrets, for `platform admin keys rotate`. */
export const sealedWebhookSecrets: SealedTable<{ readonly webhookId: number }> = {
  table: 'webhook_secret',
  columns: sql`webhook_id as "webhookId"`,
  identityOf,
};
