import type { ContractClusterStatus, DuplicateFeatures } from '@platform/proto/contracts/v1/binding';
import { type Fragment, sql } from '@platform/postgres';

/** A binding of a cluster to a contract. `id` and `contractId` are 0 if there is no such binding. */
export interface BindingRow {
  readonly id: number;
  readonly contractId: number;
  /** UUID in lower case. */
  readonly cluster: string;
  readonly displayName: string;
  readonly tags: string[];
  /** Name under which the owner has imported the cluster; null if the owner has not imported it. */
  readonly importedName: string | null;
  readonly duplicates: DuplicateFeatures[];
}

/** SQL condition: the contract is active (open-points 5.2). */
export function isActive(contract: Fragment): Fragment {
  return sql`(${contract}.revoked_at is null and ${contract}.starts_at <= now() and ${contract}.ends_at > now())`;
}

/** Columns of {@link BindingRow} for an existing binding; use them with {@link bindingJoins}. */
const bindingColumns = sql`
  binding.id, binding.contract_id as "contractId", binding.cluster_uid as "cluster",
  binding.display_name as "displayName", binding.tags, imported.name as "importedName", duplicate.contracts as "duplicates"`;

/**
 * Joins two subqueries to the row `contract`. `imported.name` is the name under which the account `ownerId` has
 * imported the cluster `uid`. `duplicate.contracts` lists the other active contracts of the contract's owner that have
 * the cluster and share a feature with the contract.
 */
export function bindingJoins(ownerId: Fragment, uid: Fragment): Fragment {
  return sql`
    left join lateral (
      select cluster.name
        from imported_cluster cluster
       where cluster.owner_id = ${ownerId} and cluster.uid = ${uid} and not cluster.removed
       order by cluster.id limit 1
    ) imported on true
    cross join lateral (
      select case when exists (
               select from contract_cluster twin where twin.cluster_uid = ${uid} and twin.contract_id <> contract.id
             ) then (${duplicatesOf(uid)}) else '[]' end as contracts
    ) duplicate`;
}

/**
 * Selects the list `duplicate.contracts` of {@link bindingJoins} as JSON. The query is costly, so it runs only if
 * another contract is bound to the cluster.
 */
function duplicatesOf(uid: Fragment): Fragment {
  return sql`
    select coalesce(json_agg(json_build_object(
             'contractId', other.id, 'product', other.product, 'features', array(
               select feature collate "C" from unnest(other.features) feature
                where feature = any (contract.features) order by 1
             )
           ) order by other.id), '[]')
      from contract_cluster twin
      ${contractOf(sql`twin`, sql`other`)}
     where twin.cluster_uid = ${uid} and twin.contract_id <> contract.id
       and other.owner_id = contract.owner_id and other.features && contract.features and ${isActive(sql`other`)}`;
}

/**
 * Joins the contract of a binding. Keep `offset 0`, so that PostgreSQL finds the contract by id. Otherwise PostgreSQL
 * may read all contracts of the account.
 */
export function contractOf(binding: Fragment, contract: Fragment): Fragment {
  return sql`
    cross join lateral (select * from contract where contract.id = ${binding}.contract_id offset 0) ${contract}`;
}

/** Selects the bindings of the row `contract` of an outer query. Callers may append conditions with `and`. */
export const bindingsOfContract = sql`
  select ${bindingColumns}
    from contract_cluster binding ${bindingJoins(sql`contract.owner_id`, sql`binding.cluster_uid`)}
   where binding.contract_id = contract.id`;

/**
 * The bindings of a contract by ascending id, as one list per column of {@link BindingRow}. PostgreSQL builds a few
 * lists faster than one JSON object for each binding. If the contract has no bindings, all lists are null.
 */
export type BindingColumns = readonly [
  ids: number[], clusters: string[], displayNames: string[], tags: string[][], importedNames: (string | null)[],
  duplicates: DuplicateFeatures[][] | null,
] | readonly [null, null, null, null, null, null];

/**
 * Selects the bindings of the row `contract` of an outer query, as JSON of {@link BindingColumns}.
 * @param withDuplicates SQL condition: whether to search for duplicates, which is slow. If false, `duplicates` is null
 */
export const bindingColumnsOfContract = (withDuplicates: Fragment): Fragment => sql`
  select json_build_array(
           json_agg(binding.id order by binding.id), json_agg(binding.cluster_uid order by binding.id),
           json_agg(binding.display_name order by binding.id), json_agg(binding.tags order by binding.id),
           json_agg(imported.name order by binding.id),
           json_agg(duplicate.contracts order by binding.id) filter (where ${withDuplicates})
         )
    from contract_cluster binding ${bindingJoins(sql`contract.owner_id`, sql`binding.cluster_uid`)}
   where binding.contract_id = contract.id`;

/** The bindings of a contract as the API shows them. */
export function toClusterStatuses(
  contractId: number, [ids, clusters, displayNames, tags, importedNames, duplicates]: BindingColumns,
): ContractClusterStatus[] {
  if (ids === null) return [];
  return ids.map((id, at) => toClusterStatus({
    id, contractId, cluster: clusters[at]!, displayName: displayNames[at]!, tags: tags[at]!,
    importedName: importedNames[at]!, duplicates: duplicates![at]!,
  }));
}

/** A binding as the API shows it. The order of the fields must stay, see `toContract`. */
export function toClusterStatus(row: BindingRow): ContractClusterStatus {
  const { id, contractId, cluster, displayName, importedName, tags, duplicates } = row;
  const name = importedName ?? '';
  return {
    id, contractId, cluster, displayName,
    clusterStatus: { isImported: importedName !== null, name, tags, associatedContractId: contractId },
    duplicateContractFeatures: duplicates,
    error: '',
  };
}
