import { type Queryable, type QueryOptions, sql } from '@platform/postgres';
import type { Marketplace } from '../marketplaces.ts';
import type { State } from './state.ts';

/** Progress of the contracts of a subscription: none, to be created, created, to be revoked, revoked. */
type Contracts = 'none' | 'due' | 'made' | 'revocation_due' | 'revoked';

export interface SubscriptionRow {
  readonly id: number;
  readonly publicId: string;
  readonly marketplace: Marketplace;
  readonly state: State;
  readonly installerId: number | null;
  readonly contracts: Contracts;
  /** State of the subscription after the contracts are revoked. Null if no revocation is due. */
  readonly endsAs: State | null;
  /** `eventTime` of the last applied notification of provider B with the type PUT or DELETE. */
  readonly lastEventAt: Date | null;
}

const columns = sql`
  subscription.id, subscription.public_id as "publicId", subscription.marketplace, subscription.state,
  subscription.installer_id as "installerId", subscription.contracts, subscription.ends_as as "endsAs",
  subscription.last_event_at as "lastEventAt"`;

/** Locks the subscription of an installer until the transaction ends. */
export function lockOfInstaller(queryable: Queryable, installerId: number): Promise<SubscriptionRow | undefined> {
  return queryable.maybeOne(sql<SubscriptionRow>`
    select ${columns} from subscription where installer_id = ${installerId} for no key update`);
}

export async function findIdOfInstaller(queryable: Queryable, installerId: number): Promise<number | undefined> {
  const row = await queryable.maybeOne(sql<{ id: number }>`
    select id from subscription where installer_id = ${installerId}`);
  return row?.id;
}

export function lockSubscription(queryable: Queryable, id: number): Promise<SubscriptionRow | undefined> {
  return queryable.maybeOne(sql<SubscriptionRow>`
    select ${columns} from subscription where id = ${id} for no key update`);
}

export function lockOfApplication(queryable: Queryable, applicationId: string): Promise<SubscriptionRow | undefined> {
  return queryable.maybeOne(sql<SubscriptionRow>`
    select ${columns} from subscription where lower(application_id) = lower(${applicationId}) for no key update`);
}

/** Adds a subscription for an application at provider B, unless the application already has a subscription. */
export async function insertOfApplication(
  queryable: Queryable, publicId: string, applicationId: string,
): Promise<void> {
  await queryable.execute(sql`
    insert into subscription (public_id, marketplace, application_id)
    values (${publicId}, 'ProviderB', ${applicationId})
        on conflict (lower(application_id)) do nothing`);
}

export async function insertOfInstaller(
  queryable: Queryable, publicId: string, marketplace: Marketplace, installerId: number,
): Promise<number> {
  const { id } = await queryable.one(sql<{ id: number }>`
    insert into subscription (public_id, marketplace, installer_id)
    values (${publicId}, ${marketplace}, ${installerId}) returning id`);
  return id;
}

/** Sets the state. The caller holds the lock of the subscription. */
export async function setState(queryable: Queryable, id: number, state: State): Promise<void> {
  await queryable.execute(sql`
    update subscription set state = ${state}, updated_at = now() where id = ${id}`);
}

/** Binds a subscription to an installer. If the subscription has no contracts yet, their creation becomes due. */
export async function bindSubscription(
  queryable: Queryable, id: number, state: State, installerId: number,
): Promise<void> {
  await queryable.execute(sql`
    update subscription
       set state = ${state}, installer_id = ${installerId}, bound_at = coalesce(bound_at, now()),
           billing_not_before = coalesce(billing_not_before, now()),
           contracts = case contracts when 'none' then 'due' else contracts end, updated_at = now()
     where id = ${id}`);
}

/** Undoes a bind whose contracts cannot be created. A subscription of provider A or C keeps its installer. */
export async function unbindSubscription(queryable: Queryable, id: number): Promise<void> {
  await queryable.execute(sql`
    update subscription
       set contracts = 'none', bound_at = null, billing_not_before = null,
           installer_id = case marketplace when 'ProviderB' then null else installer_id end, updated_at = now()
     where id = ${id}`);
}

/**
 * Ends a subscription. The revocation of its contracts becomes due, unless they are already revoked. The revocation is
 * due even if no contracts are known, because an answer with their ids may have been lost. Instead of `Deleted`, the
 * state is `Deleting` until the contracts are revoked.
 */
export async function closeSubscription(queryable: Queryable, id: number, state: State): Promise<void> {
  await queryable.execute(sql`
    update subscription
       set contracts = case contracts when 'revoked' then 'revoked' else 'revocation_due' end,
           state = case when ${state} = 'Deleted' and contracts <> 'revoked' then 'Deleting' else ${state} end,
           ends_as = case when contracts <> 'revoked' then ${state} end, updated_at = now()
     where id = ${id}`);
}

/** Stores the ids of the contracts that were created. @returns false if the bind was undone meanwhile */
export async function noteContractsMade(
  queryable: Queryable, id: number, contractIds: readonly number[],
): Promise<boolean> {
  return (await queryable.execute(sql`
    update subscription
       set contracts = case contracts when 'due' then 'made' else contracts end, contract_ids = ${contractIds}::bigint[]
     where id = ${id} and bound_at is not null`)) > 0;
}

/**
 * If the revocation of the contracts is due, notes that they are revoked, and sets the state to `ends_as`, if any. If
 * no ids are stored yet, stores `contractIds`, because the answer to the creation of the contracts may have been lost.
 * @returns whether the revocation was due
 */
export async function noteContractsRevoked(
  queryable: Queryable, id: number, contractIds: readonly number[],
): Promise<boolean> {
  return (await queryable.execute(sql`
    update subscription
       set contracts = 'revoked', revoked_at = now(),
           contract_ids = case contract_ids when '{}' then ${contractIds}::bigint[] else contract_ids end,
           state = coalesce(ends_as, state), ends_as = null, updated_at = now()
     where id = ${id} and contracts = 'revocation_due'`)) > 0;
}

/** Sets the state `DeletionFailed` if a revocation is still due (open-points 11.3). Keeps the state `Revoked`. */
export async function noteRevocationFailed(queryable: Queryable, id: number): Promise<void> {
  await queryable.execute(sql`
    update subscription set state = 'DeletionFailed', updated_at = now()
     where id = ${id} and contracts = 'revocation_due' and state <> 'Revoked'`);
}

export async function updateTerms(
  queryable: Queryable, id: number,
  terms: { eventAt: Date; plan: object | undefined; resourceUsageId: string | undefined },
): Promise<void> {
  const { eventAt, plan, resourceUsageId = null } = terms;
  await queryable.execute(sql`
    update subscription
       set last_event_at = ${eventAt},
           plan = coalesce(${plan === undefined ? null : JSON.stringify(plan)}::jsonb, plan),
           resource_usage_id = coalesce(${resourceUsageId}::text, resource_usage_id), updated_at = now()
     where id = ${id}`);
}

export async function noteEvent(queryable: Queryable, id: number, at: Date): Promise<void> {
  await queryable.execute(sql`update subscription set last_event_at = ${at} where id = ${id}`);
}

export async function setResourceGroup(
  queryable: Queryable, id: number, group: string, options: QueryOptions,
): Promise<void> {
  await queryable.execute(sql`
    update subscription set managed_resource_group = ${group}, updated_at = now()
     where id = ${id} and managed_resource_group <> ${group}`, options);
}

/**
 * Returns the application id of a subscription at provider B whose resource group is unknown. Returns undefined for any
 * other subscription, and if the subscription was revoked or its deletion has begun.
 */
export async function findApplicationWithoutGroup(
  queryable: Queryable, id: number, options: QueryOptions,
): Promise<string | undefined> {
  const row = await queryable.maybeOne(sql<{ applicationId: string }>`
    select application_id as "applicationId" from subscription
     where id = ${id} and marketplace = 'ProviderB' and managed_resource_group = ''
       and state in ('Pending', 'Bounded', 'Running', 'Failed')`, options);
  return row?.applicationId;
}

interface DueContracts {
  readonly publicId: string;
  readonly contracts: Contracts;
  /** The stored ids of the subscription's contracts, also after their revocation. Empty if no ids are stored. */
  readonly contractIds: readonly number[];
  readonly installerName: string | null;
  readonly ownerId: number | null;
  readonly clusterUid: string | null;
}

export function readDueContracts(
  queryable: Queryable, id: number, options: QueryOptions,
): Promise<DueContracts | undefined> {
  return queryable.maybeOne(sql<DueContracts>`
    select subscription.public_id as "publicId", contracts, contract_ids as "contractIds",
           installer.name as "installerName",
           installer.owner_id as "ownerId", installer.cluster_uid as "clusterUid"
      from subscription left join installer on installer.id = subscription.installer_id
     where subscription.id = ${id}`, options);
}
