import { orderBy, pageOf, type PageRequest, readPage } from '@platform/lists';
import { sql } from '@platform/postgres';
import type { WebhookDelivery } from '@platform/proto/orgs/v1/webhook';
import type { CallerContext } from '@platform/rpc';
import { conflict } from '@platform/values';
import { notFound } from '@platform/faults';
import type { Parts } from '../parts.ts';
import { noteOf, webhookNotFound } from './manage.ts';
import { sendSoon } from '../events/note-events.ts';
import { deliveryColumns, type DeliveryRow, lockWebhook, ownedBy, type WebhookOwner } from './store.ts';

const newestFirst = orderBy({ column: 'id', kind: 'integer', descending: true });

export async function deliveriesOf(
  { config, database }: Parts, owner: WebhookOwner, request: PageRequest & { readonly id: number },
  { deadline }: CallerContext,
) {
  const { id } = request;
  const found = await database.maybeOne(sql`select from webhook where id = ${id} and ${ownedBy(owner)}`, { deadline });
  if (found === undefined) throw webhookNotFound();
  const { items, total, next } = (await readPage<DeliveryRow>(database, {
    rows: sql`select ${deliveryColumns} from webhook_delivery where webhook_id = ${id}`,
    order: newestFirst,
    count: sql`select count(*) from webhook_delivery where webhook_id = ${id}`,
  }, pageOf(request, config), deadline))!;
  return { deliveries: items.map(toDelivery), total, next };
}

/** Schedules a delivery again. The event id stays the same, so that receivers recognize the repeat. */
export async function resendOf(
  { write }: Parts, owner: WebhookOwner, { id, delivery }: { readonly id: number; readonly delivery: number },
  context: CallerContext,
): Promise<WebhookDelivery> {
  return write(context, [], async (work) => {
    const webhook = await lockWebhook(work, owner, id);
    if (webhook === undefined) throw webhookNotFound();
    if (!webhook.active) throw conflict('this endpoint is not active');
    const row = await work.maybeOne(sql<DeliveryRow>`
      update webhook_delivery
         set state = 'waiting', reason = null, next_at = clock_timestamp(), first_failed_at = null
       where id = ${delivery} and webhook_id = ${id}
      returning ${deliveryColumns}`);
    if (row === undefined) throw notFound('delivery not found');
    work.effect(sendSoon(id));
    work.audit({ action: 'webhook.resend', ...noteOf(owner, webhook), details: { delivery } });
    return toDelivery(row);
  });
}

function toDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    ...row, status: row.status ?? undefined, durationMs: row.durationMs ?? undefined, sentAt: row.sentAt ?? undefined,
    reason: row.reason ?? '',
  };
}
