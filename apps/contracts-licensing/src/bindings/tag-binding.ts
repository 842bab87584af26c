import type { ClusterTags, ContractClusterServiceService } from '@platform/proto/contracts/v1/binding';
import type { UserContractClusterServiceService } from '@platform/proto/contracts/v1/user_binding';
import { sql, type Transaction } from '@platform/postgres';
import type { CallContext, Handler } from '@platform/rpc';
import { namedOwner } from '../accounts/scope.ts';
import { retagBindings } from '../contracts/binding-store.ts';
import { tagsFrom } from '../contracts/cluster-references.ts';
import { ownedBy } from '../accounts/store.ts';
import { clusterMissing, contractMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';

/** PATCH /contracts/{id}/clusters/{ccID}/tags (spec §4.3): sets the tags in the contracts of all owners. */
export function tagContractCluster(
  parts: Parts,
): Handler<typeof ContractClusterServiceService.tagContractCluster> {
  return (request, context) => tag(parts, context, { ownerId: namedOwner(context), everywhere: true }, request);
}

/**
 * PATCH /user/contracts/{id}/clusters/{ccID}/tags (spec §4.4): sets the tags in the contracts of the acting account.
 */
export function tagUserContractCluster(
  parts: Parts,
): Handler<typeof UserContractClusterServiceService.tagUserContractCluster> {
  return (request, context) => tag(parts, context, { ownerId: context.account.id, everywhere: false }, request);
}

interface Tagging {
  readonly id: number;
  readonly ccId: number;
  readonly change?: ClusterTags | undefined;
}

interface Reach {
  /** The required owner of the named contract; undefined for any owner. */
  readonly ownerId: number | undefined;
  /** Whether contracts of other owners get the tags too. */
  readonly everywhere: boolean;
}

/**
 * Sets the tags of a cluster in the named contract, and in the other contracts of the same owner or of all owners, in
 * one transaction (open-points 5.4).
 */
async function tag(
  { change }: Parts, context: CallContext, { ownerId, everywhere }: Reach, { id, ccId, change: wanted }: Tagging,
): Promise<object> {
  const tags = tagsFrom('tags', wanted!.tags!.items);
  return change(context, async (work) => {
    const locked = await lockContractsOfCluster(work, { id, ccId }, everywhere ? undefined : ownerId);
    const contract = locked.find((one) => one.id === id);
    if (contract === undefined || (ownerId !== undefined && contract.ownerId !== ownerId)) throw contractMissing();
    if (contract.uid === null) throw clusterMissing();
    const { uid } = contract;
    const changed = await retagBindings(work, locked.map((one) => one.id), uid, tags);
    await work.record(...changed.map((contractId) => ({ contractId, event: `cluster.tags_updated ${uid}` as const })));
    return {};
  });
}

interface LockedContract {
  readonly id: number;
  readonly ownerId: number;
  /** The cluster; null if it is no longer bound to the contract. */
  readonly uid: string | null;
}

/**
 * Locks the named contract, and the other contracts of `ownerId` (undefined: of all owners) that have its cluster.
 * Locks by ascending id, so two calls for the same cluster cannot deadlock.
 */
function lockContractsOfCluster(
  transaction: Transaction, { id, ccId }: { id: number; ccId: number }, ownerId: number | undefined,
): Promise<LockedContract[]> {
  const cluster = sql`(select named.cluster_uid from contract_cluster named where named.id = ${ccId} and named.contract_id = ${id})`;
  return transaction.query(sql<LockedContract>`
    select contract.id, contract.owner_id as "ownerId",
           (select bound.cluster_uid from contract_cluster bound
             where bound.contract_id = contract.id and bound.cluster_uid = ${cluster}) as "uid"
      from contract
     where (contract.id = ${id} or contract.id in (
             select bound.contract_id from contract_cluster bound where bound.cluster_uid = ${cluster}
           )) and ${ownedBy(ownerId)}
     order by contract.id for no key update of contract`);
}
