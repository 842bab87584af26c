import { type Queryable, sql, type Transaction } from '@platform/postgres';
import type { ContractTerm } from '../contracts/contract-state.ts';

/** A contract that may give a licence for a cluster. */
export interface Offer extends ContractTerm {
  readonly contractId: number;
  readonly ownerId: number;
  readonly product: string;
  readonly features: readonly string[];
  readonly allowOffline: boolean;
  readonly disableAnalytics: boolean;
  readonly enableClientBilling: boolean;
  /** JSON text, or empty. */
  readonly restrictions: string;
  /** New clusters bind themselves to it. */
  readonly autoAssign: boolean;
  /** Its quota of clusters, beyond which no new cluster gets a licence; null where nothing limits them. */
  readonly mostClusters: number | null;
  /** The cluster is bound to it. */
  readonly bound: boolean;
  /** The cluster has had a licence under it. */
  readonly licensed: boolean;
  /** Names the state of the contract's row: another one means that the contract has changed. */
  readonly version: string;
}

/** Contracts of the account that have the cluster, or that bind new clusters themselves. */
export function readOffers(queryable: Queryable, ownerId: number, clusterUid: string): Promise<Offer[]> {
  return queryable.query(sql<Offer>`
    ${offersOf(clusterUid)}
     where contract.owner_id = ${ownerId} and (bound.cluster_uid is not null or contract.auto_assign_since is not null)
     order by contract.id`);
}

/** One contract and the cluster of one of its bindings; undefined without contract, `cluster` null without binding. */
export async function readBoundOffer(
  queryable: Queryable, contractId: number, bindingId: number, ownerId: number | undefined,
): Promise<{ readonly offer: Offer; readonly clusterUid: string | null } | undefined> {
  const row = await queryable.maybeOne(sql<{ clusterUid: string | null }>`
    select bound.cluster_uid as "clusterUid"
      from contract
      left join contract_cluster bound on bound.id = ${bindingId} and bound.contract_id = contract.id
     where contract.id = ${contractId} and ${ownerId === undefined ? sql`true` : sql`owner_id = ${ownerId}`}`);
  if (row === undefined) return undefined;
  const [offer] = await queryable.query(sql<Offer>`
    ${offersOf(row.clusterUid ?? '00000000-0000-0000-0000-000000000000')} where contract.id = ${contractId}`);
  return offer === undefined ? undefined : { offer, clusterUid: row.clusterUid };
}

/** What must still hold under the lock of a contract. */
export interface LockedOffer {
  readonly bound: boolean;
  readonly licensed: boolean;
  /** Clusters that have had a licence under the contract. */
  readonly clusters: number;
}

/**
 * Locks the contract until the transaction ends: shared, so that many issue at once while nobody revokes it; alone
 * where a cluster is bound or counted.
 * @returns undefined when it is no longer the one that the offer shows
 */
export async function lockOffer(
  transaction: Transaction, { contractId, version }: Offer, clusterUid: string, alone: boolean,
): Promise<LockedOffer | undefined> {
  const locked = await transaction.maybeOne(sql<{ version: string }>`
    select xmin::text as "version" from contract where id = ${contractId}
       ${alone ? sql`for no key update` : sql`for share`}`);
  if (locked?.version !== version) return undefined;
  // A statement of its own: it sees what the holders of the lock before us have committed.
  return transaction.one(sql<LockedOffer>`
    select exists (
             select from contract_cluster where contract_id = ${contractId} and cluster_uid = ${clusterUid}::uuid
           ) as "bound",
           exists (
             select from licensed_cluster where contract_id = ${contractId} and cluster_uid = ${clusterUid}::uuid
           ) as "licensed",
           case when ${alone}
                then (select count(*) from licensed_cluster where contract_id = ${contractId}) else 0
            end as "clusters"`);
}

function offersOf(clusterUid: string) {
  return sql`
    select contract.id as "contractId", contract.owner_id as "ownerId", contract.product, contract.features,
           contract.starts_at as "startsAt", contract.ends_at as "endsAt", contract.revoked_at as "revokedAt",
           contract.allow_offline as "allowOffline", contract.disable_analytics as "disableAnalytics",
           contract.enable_client_billing as "enableClientBilling", contract.restrictions,
           contract.auto_assign_since is not null as "autoAssign",
           case when contract.quota_enabled and contract.quota_blocks_licences and contract.quota_metric = 'clusters'
                then contract.quota_limit end as "mostClusters",
           bound.cluster_uid is not null as "bound", licensed.cluster_uid is not null as "licensed",
           contract.xmin::text as "version"
      from contract
      left join contract_cluster bound on bound.contract_id = contract.id and bound.cluster_uid = ${clusterUid}::uuid
      left join licensed_cluster licensed
             on licensed.contract_id = contract.id and licensed.cluster_uid = ${clusterUid}::uuid`;
}
