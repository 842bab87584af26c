import { type Queryable, sql } from '@platform/postgres';
import { Fault } from '@platform/faults';
import type { NewBinding } from './cluster-references.ts';

export interface BoundCluster {
  readonly contractId: number;
  /** UUID in lower case. */
  readonly clusterUid: string;
}

/** Maximum number of clusters of a contract. The API returns a contract with all its clusters (ADR 0115). */
export const mostClustersOfContract = 10_000;

/**
 * Binds clusters to each of the contracts. The caller must hold the locks of the contracts. Existing bindings stay.
 * @returns the new bindings, in the order of `contractIds` and `bindings`
 * @throws Fault `reason` when a contract would have more than {@link mostClustersOfContract} clusters
 */
export async function insertBindings(
  queryable: Queryable, contractIds: readonly number[], bindings: readonly NewBinding[],
  reason: 'TOO_MANY_ITEMS' | 'QUOTA_EXCEEDED' = 'TOO_MANY_ITEMS',
): Promise<BoundCluster[]> {
  const given = bindings.map(({ clusterUid, displayName, tags }) => ({
    cluster_uid: clusterUid, display_name: displayName, tags,
  }));
  const inserted = await queryable.query(sql<BoundCluster>`
    insert into contract_cluster (contract_id, cluster_uid, display_name, tags)
    select contract_id, cluster_uid, display_name, tags
      from unnest(${contractIds}::bigint[]) with ordinality as contract (contract_id, contract_place)
     cross join rows from (
             jsonb_to_recordset(${sql.json(given)}::jsonb) as (cluster_uid uuid, display_name text, tags text[])
           ) with ordinality as cluster (cluster_uid, display_name, tags, cluster_place)
     order by contract_place, cluster_place
        on conflict (contract_id, cluster_uid) do nothing
    returning contract_id as "contractId", cluster_uid as "clusterUid"`);
  const full = await queryable.maybeOne(sql<{ id: number }>`
    select contract_id as "id" from contract_cluster where contract_id = any (${contractIds}::bigint[])
     group by contract_id having count(*) > ${mostClustersOfContract} limit 1`);
  if (full === undefined) return inserted;
  throw new Fault(reason, `the contract ${full.id} would have more than ${mostClustersOfContract} clusters`);
}

export async function findBound(
  queryable: Queryable, contractId: number, clusterUids: readonly string[],
): Promise<Set<string>> {
  const rows = await queryable.query<{ uid: string }>(sql`
    select cluster_uid as uid from contract_cluster
     where contract_id = ${contractId} and cluster_uid = any (${clusterUids}::uuid[])`);
  return new Set(rows.map(({ uid }) => uid));
}

/** @returns the UUID of the cluster; undefined when the contract has no binding with this id */
export async function deleteBinding(queryable: Queryable, contractId: number, id: number): Promise<string | undefined> {
  const row = await queryable.maybeOne<{ uid: string }>(sql`
    delete from contract_cluster where id = ${id} and contract_id = ${contractId} returning cluster_uid as uid`);
  return row?.uid;
}

/** @returns the binding before the change; undefined when the contract has no binding with this id */
export async function renameBinding(
  queryable: Queryable, contractId: number, id: number, displayName: string,
): Promise<{ readonly uid: string; readonly displayName: string } | undefined> {
  return queryable.maybeOne(sql<{ uid: string; displayName: string }>`
    update contract_cluster bound set display_name = ${displayName}
      from contract_cluster was
     where bound.id = ${id} and bound.contract_id = ${contractId} and was.id = bound.id
    returning was.cluster_uid as "uid", was.display_name as "displayName"`);
}

/** @returns the ids of the contracts in which the tags changed, ascending */
export async function retagBindings(
  queryable: Queryable, contractIds: readonly number[], clusterUid: string, tags: readonly string[],
): Promise<number[]> {
  const rows = await queryable.query<{ contractId: number }>(sql`
    update contract_cluster set tags = ${tags}::text[]
     where contract_id = any (${contractIds}::bigint[]) and cluster_uid = ${clusterUid}::uuid and tags <> ${tags}::text[]
    returning contract_id as "contractId"`);
  return rows.map(({ contractId }) => contractId).sort((one, other) => one - other);
}
