import type { ContractClusterServiceService } from '@platform/proto/contracts/v1/binding';
import { sql, type Transaction } from '@platform/postgres';
import type { Handler } from '@platform/rpc';
import type { RequiredOwner } from '../accounts/scope.ts';
import { retagBindings } from '../contracts/binding-store.ts';
import { tagsFrom } from '../contracts/cluster-references.ts';
import { ownedBy } from '../accounts/store.ts';
import { clusterMissing, contractMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';

/**
 * PATCH …/contracts/{id}/clusters/{ccID}/tags, for site admins (spec §4.3) and for users (spec §4.4). Sets the tags on
 * every binding of the cluster to a contract of the owner (open-points 5.4). With `everywhere`, also sets the tags on
 * the bindings to contracts of other owners.
 */
export function tagCluster(
  { change }: Parts, requiredOwner: RequiredOwner, { everywhere }: { readonly everywhere: boolean },
): Handler<typeof ContractClusterServiceService.tagContractCluster> {
  return async ({ id, ccId, change: wanted }, context) => {
    const tags = tagsFrom('tags', wanted!.tags!.items);
    const ownerId = requiredOwner(context);
    return change(context, async (work) => {
      const locked = await lockContractsOfCluster(work, { id, ccId }, everywhere ? undefined : ownerId);
      const contract = locked.find((one) => one.id === id);
      if (contract === undefined || (ownerId !== undefined && contract.ownerId !== ownerId)) throw contractMissing();
      const { uid } = contract;
      if (uid === null) throw clusterMissing();
      const changed = await retagBindings(work, locked.map((one) => one.id), uid, tags);
      const event = `cluster.tags_updated ${uid}` as const;
      await work.record(...changed.map((contractId) => ({ contractId, event })));
      return {};
    });
  };
}

interface LockedContract {
  readonly id: number;
  readonly ownerId: number;
  /** UUID of the cluster of the binding `ccId`; null if the contract of the request has no such binding. */
  readonly uid: string | null;
}

/**
 * Locks the contract `id`, and every contract that is bound to the cluster of the binding `ccId`. The order by id
 * avoids deadlocks.
 * @param ownerId if given, only contracts of this owner are locked
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
