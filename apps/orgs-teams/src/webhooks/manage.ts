import { Fault, notFound } from '@platform/faults';
import { byId, pageOf, type PageRequest, readPage } from '@platform/lists';
import { AddressRefused, type Outbound } from '@platform/outbound';
import { sql } from '@platform/postgres';
import type { CreateSiteWebhookRequest, UpdateSiteWebhookRequest, Webhook } from '@platform/proto/orgs/v1/webhook';
import { AdmissionChanged, type CallerContext } from '@platform/rpc';
import { lengthProblem, Violations } from '@platform/values';
import type { AuditNote } from '@platform/writes';
import type { Parts } from '../parts.ts';
import { personCalling } from '../users/own-account.ts';
import { eventKinds } from '../events/kinds.ts';
import { lock } from '../write/locks.ts';
import { sendSoon } from '../events/note-events.ts';
import { addSecret, lockWebhook, ownedBy, webhookColumns, type WebhookOwner, type WebhookRow } from './store.ts';

/** Maximum number of webhook endpoints of one organization. The site's own endpoints have the same limit. */
const mostEndpoints = 20;

/**
 * Refuses kinds of events that the endpoint may not get, for example because the caller may not read their objects.
 * @throws Fault FORBIDDEN, MISSING_SCOPE
 */
export type RefuseKinds = (kinds: readonly string[]) => Promise<void>;

export async function listOf(
  { config, database }: Parts, owner: WebhookOwner, request: PageRequest, { deadline }: CallerContext,
) {
  const { items, total, next } = (await readPage<WebhookRow>(database, {
    rows: sql`select ${webhookColumns} from webhook where ${ownedBy(owner)}`,
    order: byId,
    count: sql`select count(*) from webhook where ${ownedBy(owner)}`,
  }, pageOf(request, config), deadline))!;
  return { webhooks: items.map((row) => toWebhook(row)), total, next };
}

/** Creates an endpoint. The answer contains the secret of the endpoint. */
export async function createFor(
  { write, sealer, outbound }: Parts, owner: WebhookOwner, wanted: CreateSiteWebhookRequest, context: CallerContext,
  refuse: RefuseKinds,
): Promise<Webhook> {
  const { id: makerId, scopes } = personCalling(context.caller);
  refuseBadWish(outbound, owner, wanted, { isNew: true });
  await refuse(wanted.events);
  // The locks prevent simultaneous requests from exceeding the limit.
  return write(context, [lock.account(owner ?? makerId)], async (work) => {
    if (owner === null) await work.query(sql`select pg_advisory_xact_lock('webhook'::regclass::oid::integer, 0)`);
    const { count } = await work.one(sql<{ count: number }>`select count(*) from webhook where ${ownedBy(owner)}`);
    if (count >= mostEndpoints) {
      throw new Fault('INVALID_VALUE', `there are already ${mostEndpoints} webhooks, the maximum: delete one first`);
    }
    const row = await work.one(sql<WebhookRow>`
      insert into webhook (organization_id, maker_id, scopes, url, events, active)
      values (${owner}::bigint, ${makerId}, ${scopes}::text[], ${wanted.url!}, ${distinct(wanted.events)}::text[],
              ${wanted.active ?? true})
      returning ${webhookColumns}`);
    const secret = await addSecret(work, sealer, row.id);
    work.audit({ action: 'webhook.create', ...noteOf(owner, row), details: { url: row.url, events: row.events } });
    return toWebhook(row, secret);
  });
}

/** Changes an endpoint. From then on, the rights of the caller decide which events the endpoint may get. */
export async function updateOf(
  { database, write, sealer, outbound }: Parts, owner: WebhookOwner,
  { id, rotateSecret = false, ...wanted }: UpdateSiteWebhookRequest, context: CallerContext, refuse: RefuseKinds,
): Promise<Webhook> {
  const { id: makerId, scopes } = personCalling(context.caller);
  refuseBadWish(outbound, owner, wanted, { isNew: false });
  const present = await database.maybeOne(
    sql<WebhookRow>`select ${webhookColumns} from webhook where id = ${id} and ${ownedBy(owner)}`,
    { deadline: context.deadline },
  );
  if (present === undefined) throw webhookNotFound();
  // The endpoint gets the rights of the caller. So these rights must suffice for all events of the endpoint.
  await refuse(wanted.events.length > 0 ? wanted.events : present.events);
  return write(context, [], async (work) => {
    const before = await lockWebhook(work, owner, id);
    if (before === undefined) throw webhookNotFound();
    // If a concurrent request has changed the kinds of events since the check, run again.
    if (wanted.events.length === 0 && before.events.join() !== present.events.join()) throw new AdmissionChanged();
    const { url = before.url, active = before.active } = wanted;
    const events = wanted.events.length > 0 ? distinct(wanted.events) : before.events;
    const row = await work.one(sql<WebhookRow>`
      update webhook
         set url = ${url}, events = ${events}::text[], active = ${active}, maker_id = ${makerId},
             scopes = ${scopes}::text[],
             disabled_reason = case when ${active}::boolean then null else disabled_reason end,
             failures = case when active then failures else 0 end,
             failing_since = case when active then failing_since end,
             busy_until = case when active then busy_until end
       where id = ${id}
      returning ${webhookColumns}`);
    const secret = rotateSecret ? await addSecret(work, sealer, id) : undefined;
    if (active) work.effect(sendSoon(id));
    work.audit({ action: 'webhook.update', ...noteOf(owner, row), details: { url, events, active, rotateSecret } });
    return toWebhook(row, secret);
  });
}

/** Deletes an endpoint with its secrets and its deliveries. */
export async function deleteOf(
  { write }: Parts, owner: WebhookOwner, { id }: { readonly id: number }, context: CallerContext,
) {
  await write(context, [], async (work) => {
    const row = await work.maybeOne(sql<WebhookRow>`
      delete from webhook where id = ${id} and ${ownedBy(owner)} returning ${webhookColumns}`);
    if (row === undefined) throw webhookNotFound();
    work.audit({ action: 'webhook.delete', ...noteOf(owner, row), details: { url: row.url } });
  });
  return {};
}

export function webhookNotFound(): Fault {
  return notFound('webhook not found');
}

/** @throws Fault VALIDATION_FAILED */
function refuseBadWish(
  outbound: Outbound, owner: WebhookOwner, { url, events }: CreateSiteWebhookRequest,
  { isNew }: { readonly isNew: boolean },
): void {
  const violations = new Violations();
  if (url !== undefined) {
    violations.note('url', lengthProblem(url, { least: 1, most: 2_000 }) ?? addressProblem(outbound, url));
  }
  const known = Object.keys(eventKinds).filter((kind) => owner === null || eventKinds[kind]!.demands !== 'site');
  violations.note('events', isNew && events.length === 0 ? 'must have at least one kind of event' : undefined);
  violations.note('events', events.every((kind) => known.includes(kind)) ? undefined : `must contain only ${known.join(', ')}`);
  violations.refuse();
}

/**
 * Returns why an address is refused; undefined if it is accepted. Does not check the IP addresses of a host name. Each
 * connection checks them.
 */
function addressProblem(outbound: Outbound, url: string): string | undefined {
  try {
    return outbound.parse(url).protocol === 'https:' ? undefined : 'must be an https address';
  } catch (error) {
    if (error instanceof AddressRefused) return `is refused: ${error.message}`;
    throw error;
  }
}

function distinct(events: readonly string[]): readonly string[] {
  return [...new Set(events)].sort();
}

export function noteOf(owner: WebhookOwner, { id }: WebhookRow): Pick<AuditNote, 'object' | 'organizationId'> {
  return { object: `webhook:${id}`, ...(owner === null ? {} : { organizationId: owner }) };
}

function toWebhook(row: WebhookRow, secret = ''): Webhook {
  return { ...row, disabledReason: row.disabledReason ?? '', failingSince: row.failingSince ?? undefined, secret };
}
