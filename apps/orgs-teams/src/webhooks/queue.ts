import { type Database, type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { WebhookRow } from './store.ts';

export interface Claimed {
  readonly id: number;
  readonly url: string;
  readonly makerId: number | null;
  readonly organizationId: number | null;
  /** Scopes of the token with which the endpoint was created or last changed. */
  readonly scopes: readonly string[];
}

export interface Waiting {
  readonly id: number;
  readonly eventId: string;
  /** Null: no organization owns the object of the event. */
  readonly organizationId: number | null;
  readonly kind: string;
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

interface Tried {
  readonly delivery: Waiting;
  readonly status: number | undefined;
  readonly durationMs: number;
}

/** How long a run claims an endpoint. One delivery takes less time, and a successful delivery renews the claim. */
const held = sql`interval '20 seconds'`;
/**
 * If all attempts of a delivery fail for longer than this, the delivery is given up. If all deliveries to an endpoint
 * fail for longer than this, the endpoint is switched off (open-points 18.10).
 */
const patience = sql`interval '5 days'`;

/**
 * Claims an active endpoint. Returns `busy` if another run has claimed it, or if it rests after a failure. Returns
 * undefined if there is no active endpoint with this id.
 */
export async function claim(database: Database, id: number, deadline: Deadline): Promise<Claimed | 'busy' | undefined> {
  const claimed = await database.maybeOne(sql<Claimed>`
    update webhook set busy_until = clock_timestamp() + ${held}
     where id = ${id} and active and (busy_until is null or busy_until <= clock_timestamp())
    returning id, url, maker_id as "makerId", organization_id as "organizationId", scopes`, { deadline });
  if (claimed !== undefined) return claimed;
  const active = await database.maybeOne(sql`select from webhook where id = ${id} and active`, { deadline });
  return active === undefined ? undefined : 'busy';
}

/**
 * SQL condition on a row `delivery`: no earlier delivery of the same endpoint and subject waits. So the events of a
 * subject keep their order.
 */
export const isFirstOfSubject = sql`
  not exists (
    select from webhook_delivery earlier
     where earlier.webhook_id = delivery.webhook_id and earlier.state = 'waiting'
       and earlier.subject = delivery.subject and earlier.id < delivery.id
  )`;

/** Returns the oldest due delivery of an endpoint. Skips a delivery while an earlier one of the same subject waits. */
export function nextWaiting(queryable: Queryable, webhookId: number, deadline: Deadline): Promise<Waiting | undefined> {
  return queryable.maybeOne(sql<Waiting>`
    select id, event_id::text as "eventId", organization_id as "organizationId", kind, subject, data,
           created_at as "createdAt"
      from webhook_delivery delivery
     where webhook_id = ${webhookId} and state = 'waiting' and next_at <= clock_timestamp() and ${isFirstOfSubject}
     order by id limit 1`, { deadline });
}

export async function noteSuccess(
  database: Database, webhookId: number, { delivery, status, durationMs }: Tried, deadline: Deadline,
): Promise<void> {
  await database.transact(async (transaction) => {
    await transaction.execute(sql`
      update webhook set failures = 0, failing_since = null, busy_until = clock_timestamp() + ${held}
       where id = ${webhookId} and active`);
    await transaction.execute(sql`
      update webhook_delivery
         set state = 'delivered', attempts = attempts + 1, status = ${status ?? null}::int,
             duration_ms = ${durationMs}::int, sent_at = clock_timestamp(), first_failed_at = null
       where id = ${delivery.id}`);
  }, { deadline });
}

/**
 * Stores a failed attempt. Gives up a delivery that has failed for {@link patience}. Switches off an endpoint that has
 * failed for {@link patience}. The first pause of a delivery is 5 s. Each further pause is three times as long, up to
 * 24 h. Each pause is shortened at random by up to a quarter. The endpoint rests for up to a minute, so that it delays
 * other endpoints less.
 */
export async function noteFailure(
  database: Database, webhookId: number, { delivery, status, durationMs }: Tried, deadline: Deadline,
): Promise<void> {
  await database.transact(async (transaction) => {
    const { isOver } = await transaction.one(sql<{ isOver: boolean }>`
      update webhook
         set failures = failures + 1, failing_since = coalesce(failing_since, now()),
             busy_until = clock_timestamp() + least(power(2, least(failures, 6)), 60) * interval '1 second'
       where id = ${webhookId}
      returning failing_since < now() - ${patience} as "isOver"`);
    await transaction.execute(sql`
      update webhook_delivery
         set attempts = attempts + 1, status = ${status ?? null}::int, duration_ms = ${durationMs}::int,
             sent_at = clock_timestamp(), first_failed_at = coalesce(first_failed_at, now()),
             state = case when first_failed_at < now() - ${patience} then 'failed' else state end,
             reason = case when first_failed_at < now() - ${patience} then 'failing' end,
             next_at = clock_timestamp()
               + least(5 * power(3, least(attempts, 10)), 86400) * (0.75 + random() / 4) * interval '1 second'
       where id = ${delivery.id}`);
    if (isOver) await stop(transaction, webhookId, 'failing');
  }, { deadline });
}

/**
 * Gives up a delivery whose event requires a scope that the endpoint lacks. To get the event, a user changes the
 * endpoint with a token that has the scope, and then resends the delivery.
 */
export async function giveUpWithoutScope(database: Database, { id }: Waiting, deadline: Deadline): Promise<void> {
  await database.execute(sql`
    update webhook_delivery set state = 'failed', reason = 'scope_missing' where id = ${id}`, { deadline });
}

/**
 * Switches an endpoint off, and gives up its waiting deliveries. When the endpoint is switched on again, users can
 * resend the deliveries.
 */
export async function switchOff(
  database: Database, webhookId: number, reason: NonNullable<WebhookRow['disabledReason']>, deadline: Deadline,
): Promise<void> {
  await database.transact((transaction) => stop(transaction, webhookId, reason), { deadline });
}

async function stop(
  queryable: Queryable, webhookId: number, reason: NonNullable<WebhookRow['disabledReason']>,
): Promise<void> {
  await queryable.execute(sql`
    update webhook set active = false, disabled_reason = ${reason} where id = ${webhookId} and active`);
  await queryable.execute(sql`
    update webhook_delivery set state = 'failed', reason = ${reason} where webhook_id = ${webhookId} and state = 'waiting'`);
}

/** Releases an endpoint after a run. Does nothing if the last attempt failed, because the endpoint then rests. */
export async function release(database: Database, webhookId: number, deadline: Deadline): Promise<void> {
  await database.execute(sql`
    update webhook set busy_until = null where id = ${webhookId} and failures = 0`, { deadline });
}

/** Deletes expired secrets, and at most 1000 deliveries that are older than 30 days and not waiting. */
export async function deleteOldDeliveries(database: Database, { deadline }: { readonly deadline: Deadline }) {
  await database.execute(sql`
    delete from webhook_delivery
     where id in (
       select id from webhook_delivery
        where state <> 'waiting' and created_at < now() - interval '30 days'
        order by created_at limit 1000
     )`, { deadline });
  await database.execute(sql`delete from webhook_secret where expires_at < now()`, { deadline });
}
