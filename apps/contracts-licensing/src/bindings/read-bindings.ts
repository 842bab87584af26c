import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { bindingJoins, type BindingRow, bindingsOfContract, contractOf, isActive } from '../contracts/binding-row.ts';

export function readAllBindings(queryable: Queryable, contractId: number): Promise<BindingRow[]> {
  return queryable.query(sql<BindingRow>`
    select bound.* from contract cross join lateral (${bindingsOfContract}) bound
     where contract.id = ${contractId} order by bound.id`);
}

/** The bindings of a cluster to the given contracts, in the order of `contractIds`. */
export function readBindingsOfCluster(
  queryable: Queryable, contractIds: readonly number[], clusterUid: string,
): Promise<BindingRow[]> {
  return queryable.query(sql<BindingRow>`
    select bound.*
      from contract cross join lateral (${bindingsOfContract} and binding.cluster_uid = ${clusterUid}::uuid) bound
     where contract.id = any (${contractIds}::bigint[])
     order by array_position(${contractIds}::bigint[], contract.id)`);
}

/**
 * Returns a row for each cluster, in the given order. With `contractId`, a row is the cluster's binding to this
 * contract of the owner. Without `contractId`, a row is the cluster's binding to an active contract of the owner. Of
 * several such bindings, the binding to the contract that ends last is used (open-points 5.4, 5.7). If the cluster has
 * no such binding, the ids in the row are 0.
 */
export function readClusterStatuses(
  queryable: Queryable, ownerId: number, contractId: number | undefined, clusterUids: readonly string[],
  deadline: Deadline,
): Promise<BindingRow[]> {
  const counts = contractId === undefined ? isActive(sql`candidate`) : sql`candidate.id = ${contractId}`;
  return queryable.query(sql<BindingRow>`
    select coalesce(binding.id, 0) as "id", coalesce(binding.contract_id, 0) as "contractId", given.uid as "cluster",
           coalesce(binding.display_name, '') as "displayName", coalesce(binding.tags, '{}') as "tags",
           imported.name as "importedName", duplicate.contracts as "duplicates"
      from unnest(${clusterUids}::uuid[]) with ordinality as given (uid, place)
      left join lateral (
        select bound.id
          from contract_cluster bound
          ${contractOf(sql`bound`, sql`candidate`)}
         where bound.cluster_uid = given.uid and candidate.owner_id = ${ownerId} and ${counts}
         order by candidate.ends_at desc, candidate.id limit 1
      ) chosen on true
      left join contract_cluster binding on binding.id = chosen.id
      left join contract on contract.id = binding.contract_id
      ${bindingJoins(sql`${ownerId}::bigint`, sql`given.uid`)}
     order by given.place`, { deadline });
}
