import { type Fragment, type Queryable, sql, type Transaction } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { BareContractRow } from '../contracts/contract-row.ts';
import { ownedBy } from '../accounts/store.ts';
import { presentUse } from '../projections/apply-quota-use.ts';

/** A contract that may give a licence for a cluster. */
export interface Offer extends Pick<
  BareContractRow, 'ownerId' | 'product' | 'features' | 'startsAt' | 'endsAt' | 'revokedAt' | 'allowOffline'
  | 'disableAnalytics' | 'enableClientBilling' | 'restrictions'
> {
  readonly contractId: number;
  readonly autoAssign: boolean;
  /** Maximum number of clusters that ever get a licence under the contract. Null if unlimited. */
  readonly mostClusters: number | null;
  /** Whether the contract gives no licence because its usage quota of this month is used up (open-points 6.5). */
  readonly usedUp: boolean;
  readonly bound: boolean;
  /** Whether the cluster has had a licence under the contract. */
  readonly licensed: boolean;
  /** Version of the contract's row: another version means that the contract has changed. */
  readonly version: string;
}

/** A licence to issue under a contract. */
export type Candidate = { readonly offer: Offer; readonly clusterUid: string };

/** Contracts of the account that have the cluster, or that bind new clusters automatically. */
export function readOffers(
  queryable: Queryable, ownerId: number, clusterUid: string, deadline: Deadline,
): Promise<Offer[]> {
  return queryable.query(sql<Offer>`
    ${offersFor(clusterUid)}
     where contract.owner_id = ${ownerId}
       and contract.id = any (array(
             select contract_id from contract_cluster where cluster_uid = ${clusterUid}::uuid
              union all
             select id from contract where owner_id = ${ownerId} and auto_assign_since is not null
           ))
     order by contract.id`, { deadline });
}

/** An offer for a cluster that is bound to the contract. `clusterUid` is null if the query finds no such cluster. */
export type BoundOffer = Offer & { readonly clusterUid: string | null };

/** Reads the offer for a binding of a contract; undefined when the contract does not exist or has another owner. */
export function readBoundOffer(
  queryable: Queryable, contractId: number, bindingId: number,
  { ownerId, deadline }: { ownerId: number | undefined; deadline: Deadline },
): Promise<BoundOffer | undefined> {
  return queryable.maybeOne(sql<BoundOffer>`
    ${boundOffersWhere(sql`bound.id = ${bindingId}`)} where contract.id = ${contractId} and ${ownedBy(ownerId)}`,
  { deadline });
}

export interface Selection {
  readonly ownerId: number;
  /** UUID in lower case. Undefined: all clusters. */
  readonly clusterUid: string | undefined;
  /** Without duplicates. Empty: all contracts. */
  readonly contractIds: readonly number[];
}

/**
 * Returns at most `most` offers: one for each selected cluster of each selected contract. A contract of `contractIds`
 * without such a cluster has one offer, in which `clusterUid` is null.
 */
export function readBoundOffers(
  queryable: Queryable, { ownerId, clusterUid, contractIds }: Selection,
  { most, deadline }: { readonly most: number; readonly deadline: Deadline },
): Promise<BoundOffer[]> {
  const meant = clusterUid === undefined ? sql`true` : sql`bound.cluster_uid = ${clusterUid}::uuid`;
  const named = contractIds.length > 0 ? sql`contract.id = any (${contractIds}::bigint[])` : sql`bound.id is not null`;
  return queryable.query(sql<BoundOffer>`
    ${boundOffersWhere(meant)} where contract.owner_id = ${ownerId} and ${named}
     order by contract.id, bound.id limit ${most}`, { deadline });
}

/** The values that are read under the lock of a contract. */
export interface LockedOffer {
  readonly bound: boolean;
  readonly licensed: boolean;
  /** Number of clusters that have had a licence under the contract; 0 unless the lock is exclusive. */
  readonly clusters: number;
}

/**
 * Locks contracts by ascending id until the transaction ends. The lock is shared, so that calls can issue licences
 * concurrently. With `alone`, the lock is exclusive. Calls that bind or count a cluster need the exclusive lock.
 * @returns the values in the order of `candidates`; undefined when a contract has changed since its offer was read
 */
export async function lockOffers(
  transaction: Transaction, candidates: readonly Candidate[], alone: boolean,
): Promise<readonly LockedOffer[] | undefined> {
  const ids = candidates.map(({ offer }) => offer.contractId);
  const rows = await transaction.query(sql<{ id: number; version: string }>`
    select id, xmin::text as "version" from contract where id = any (${ids}::bigint[])
     order by id ${alone ? sql`for no key update` : sql`for share`}`);
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  if (candidates.some(({ offer }) => versions.get(offer.contractId) !== offer.version)) return undefined;
  // This is a separate statement, so that it sees what previous holders of the lock have committed.
  return transaction.query(sql<LockedOffer>`
    select exists (
             select from contract_cluster bound
              where bound.contract_id = given.contract_id and bound.cluster_uid = given.cluster_uid
           ) as "bound",
           exists (
             select from licensed_cluster licensed
              where licensed.contract_id = given.contract_id and licensed.cluster_uid = given.cluster_uid
           ) as "licensed",
           case when ${alone}
                then (select count(*) from licensed_cluster where contract_id = given.contract_id) else 0
            end as "clusters"
      from unnest(${ids}::bigint[], ${candidates.map(({ clusterUid }) => clusterUid)}::uuid[])
             with ordinality as given (contract_id, cluster_uid, place)
     order by place`);
}

const blocks = sql`(contract.quota_enabled and contract.quota_blocks_licences)`;

/** Columns of {@link Offer}. Aliases: `bound` for `contract_cluster`, `licensed` for `licensed_cluster`. */
const offerColumns = sql`
  contract.id as "contractId", contract.owner_id as "ownerId", contract.product, contract.features,
  contract.starts_at as "startsAt", contract.ends_at as "endsAt", contract.revoked_at as "revokedAt",
  contract.allow_offline as "allowOffline", contract.disable_analytics as "disableAnalytics",
  contract.enable_client_billing as "enableClientBilling", contract.restrictions,
  contract.auto_assign_since is not null as "autoAssign",
  case when ${blocks} and contract.quota_metric = 'clusters' then contract.quota_limit end as "mostClusters",
  ${blocks} and exists (select from ${presentUse} and contract_use.percent >= 100) as "usedUp",
  bound.cluster_uid is not null as "bound", licensed.cluster_uid is not null as "licensed",
  contract.xmin::text as "version"`;

function offersFor(clusterUid: string): Fragment {
  return sql`
    select ${offerColumns}
      from contract
      left join contract_cluster bound on bound.contract_id = contract.id and bound.cluster_uid = ${clusterUid}::uuid
      left join licensed_cluster licensed
             on licensed.contract_id = contract.id and licensed.cluster_uid = ${clusterUid}::uuid`;
}

function boundOffersWhere(meant: Fragment): Fragment {
  return sql`
    select ${offerColumns}, bound.cluster_uid as "clusterUid"
      from contract
      left join contract_cluster bound on bound.contract_id = contract.id and ${meant}
      left join licensed_cluster licensed
             on licensed.contract_id = contract.id and licensed.cluster_uid = bound.cluster_uid`;
}
