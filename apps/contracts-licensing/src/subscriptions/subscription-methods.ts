import { createHash } from 'node:crypto';
import { Fault, notFound } from '@platform/faults';
import { nameClosedOwners } from '@platform/owners';
import { type Queryable, sql } from '@platform/postgres';
import type {
  PutSubscriptionContractsRequest, SubscriptionContractServiceService,
} from '@platform/proto/contracts/v1/subscription';
import type { Handler } from '@platform/rpc';
import { invalidValue, lengthProblem } from '@platform/values';
import { insertBindings } from '../contracts/binding-store.ts';
import { bindingsFrom } from '../contracts/cluster-references.ts';
import { clusterAdded } from '../contracts/events.ts';
import { newContractsFrom } from '../contracts/new-contracts.ts';
import { contractTable, insertContracts, type NewContractRow } from '../contracts/store.ts';
import type { Parts } from '../parts.ts';
import { secondsOf } from '../values.ts';
import { rememberAccount } from '../accounts/store.ts';

/** How many years the contracts of a subscription last (open-points 11.2). */
const years = 10;

/**
 * Creates the contracts of a subscription. Later calls create nothing and return the contracts that still exist. After
 * {@link revokeSubscriptionContracts}, calls fail with SUBSCRIPTION_CLOSED.
 */
export function putSubscriptionContracts(
  parts: Parts,
): Handler<typeof SubscriptionContractServiceService.putSubscriptionContracts> {
  const { change, database, owners } = parts;
  return async (request, context) => {
    const subscription = subscriptionIn(request);
    const owner = (await owners.byId([request.ownerId ?? 0], context)).get(request.ownerId ?? 0);
    const put = () => change(context, async (work) => {
      const { made, revoked } = await lockSubscription(work, subscription);
      if (revoked) {
        throw new Fault('SUBSCRIPTION_CLOSED', `the contracts of the subscription ${subscription} have been revoked`);
      }
      if (made) return { contractIds: await findContractIds(work, subscription) };
      // Parse the request only now. Existing contracts are returned even if the request is no longer valid, for example
      // because a product was removed.
      const rows = rowsOf(request, parts, new Date());
      const bindings = bindingsFrom('clusterUid', [{ cluster: request.clusterUid ?? '', tags: [] }]);
      if (owner === undefined) throw notFound(`there is no account ${request.ownerId}`);
      await rememberAccount(work, owner);
      const contractIds = await insertContracts(work, rows);
      const bound = await insertBindings(work, contractIds, bindings);
      await work.record(
        ...contractIds.map((contractId) => ({ contractId, event: 'contract.created' as const })),
        ...bound.map(clusterAdded),
      );
      await work.execute(sql`update marketplace_subscription set made_at = now() where id = ${subscription}`);
      return { contractIds };
    });
    return nameClosedOwners(database, contractTable, [request.ownerId ?? 0], context.deadline, put);
  };
}

export function revokeSubscriptionContracts(
  { change }: Parts,
): Handler<typeof SubscriptionContractServiceService.revokeSubscriptionContracts> {
  return async (request, context) => {
    const subscription = subscriptionIn(request);
    return change(context, async (work) => {
      const { revoked } = await lockSubscription(work, subscription);
      if (!revoked) {
        await work.execute(sql`update marketplace_subscription set revoked_at = now() where id = ${subscription}`);
      }
      const now = await revokeContracts(work, subscription);
      await work.record(...now.map((contractId) => ({ contractId, event: 'contract.revoked' as const })));
      return { contractIds: await findContractIds(work, subscription) };
    });
  };
}

/**
 * Locks the row of a subscription. Adds the row if it is missing.
 * @returns whether the contracts were created, and whether they were revoked
 */
async function lockSubscription(queryable: Queryable, id: string): Promise<{ made: boolean; revoked: boolean }> {
  await queryable.execute(sql`insert into marketplace_subscription (id) values (${id}) on conflict (id) do nothing`);
  return queryable.one(sql<{ made: boolean; revoked: boolean }>`
    select made_at is not null as "made", revoked_at is not null as "revoked"
      from marketplace_subscription where id = ${id} for no key update`);
}

async function findContractIds(queryable: Queryable, id: string): Promise<number[]> {
  const rows = await queryable.query(sql<{ id: number }>`
    select id from contract where subscription_id = ${id} order by id`);
  return rows.map((row) => row.id);
}

/** Revokes those contracts of a subscription that are not revoked yet. @returns the ids of these contracts */
async function revokeContracts(queryable: Queryable, id: string): Promise<number[]> {
  const rows = await queryable.query(sql<{ id: number }>`
    with open as materialized (
      select id from contract where subscription_id = ${id} and revoked_at is null order by id for no key update
    )
    update contract set revoked_at = now() from open where contract.id = open.id
    returning contract.id`);
  return rows.map((row) => row.id).toSorted((one, other) => one - other);
}

function subscriptionIn({ subscriptionId = '' }: { readonly subscriptionId?: string | undefined }): string {
  const message = lengthProblem(subscriptionId, { least: 1, most: 64 });
  if (message !== undefined) throw invalidValue([{ path: 'subscriptionId', message }]);
  return subscriptionId;
}

/** @throws Fault INVALID_VALUE, UNSUPPORTED_PRODUCT */
function rowsOf(request: PutSubscriptionContractsRequest, { products }: Parts, now: Date): NewContractRow[] {
  const { name, ownerId = 0, subscriptionId = '' } = request;
  const items = request.products.length === 0 ? [...products.keys()] : request.products;
  const end = new Date(now);
  end.setUTCFullYear(now.getUTCFullYear() + years);
  const { contracts } = newContractsFrom({ name, products: { items }, end: secondsOf(end) }, products, now);
  return contracts.map(({ product, terms }) => ({
    ...terms, product: product.alias, ownerId, subscription: subscriptionId,
    idempotencyKey: keyOf(subscriptionId, product.alias),
  }));
}

/** The `idempotencyKey` of a contract. It is the same UUID in each repetition of a request. */
function keyOf(subscription: string, product: string): string {
  const hash = createHash('sha256').update(`subscription contract\n${subscription}\n${product}`).digest('hex');
  return [hash.slice(0, 8), hash.slice(8, 12), hash.slice(12, 16), hash.slice(16, 20), hash.slice(20, 32)].join('-');
}
