import type { Apply, FollowedFact } from '@platform/facts';
import { sql, type Transaction } from '@platform/postgres';
import { isActive } from '../contracts/binding-row.ts';
import { mostClustersOfContract } from '../contracts/binding-store.ts';
import { insertEvents, system } from '../contracts/events.ts';

export const applyClusters: Apply<'cluster'> = async (transaction, facts) => {
  await removeClusters(transaction, facts.filter(({ value }) => value === undefined).map(({ key }) => key));
  await assignClusters(transaction, await putClusters(transaction, facts));
};

/**
 * Marks imported clusters as removed. Their rows stay, so that the same import never counts as new again. Their
 * bindings stay, too (open-points 5.7).
 */
async function removeClusters(transaction: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await transaction.execute(sql`
    update imported_cluster set removed = true where id = any (${ids.map(Number)}::bigint[]) and not removed`);
}

/** Stores imported clusters. @returns the ids of the imports that had no row yet */
async function putClusters(
  transaction: Transaction, facts: readonly FollowedFact<'cluster'>[],
): Promise<readonly number[]> {
  const values = facts.flatMap(({ value }) => (value === undefined ? [] : [value]));
  if (values.length === 0) return [];
  const given = values.map(({ id, uid, name, provider, ...value }) => ({
    id, uid, name, provider, owner_id: value.ownerId, display_name: value.displayName,
    kubernetes_version: value.kubernetesVersion, node_count: value.nodeCount, imported_at: value.createdAt,
    last_contact_at: value.lastContactAt,
  }));
  const clusters = sql`
    jsonb_to_recordset(${sql.json(given)}::jsonb) as given (
      id bigint, uid uuid, owner_id bigint, name text, display_name text, provider text, kubernetes_version text,
      node_count integer, imported_at timestamptz, last_contact_at timestamptz
    )`;
  const added = await transaction.query<{ id: number }>(sql`
    insert into imported_cluster (id, uid, owner_id, name, display_name, imported_at)
    select id, uid, owner_id, name, display_name, imported_at from ${clusters}
     order by id
        on conflict (id) do nothing
    returning id`);
  // Mark other imports with the same UID and owner as removed, because this import replaces them.
  await transaction.execute(sql`
    update imported_cluster known set removed = true
      from ${clusters} where known.uid = given.uid and known.owner_id = given.owner_id and known.id <> given.id`);
  await transaction.execute(sql`
    update imported_cluster known
       set owner_id = given.owner_id, name = given.name, display_name = given.display_name, provider = given.provider,
           kubernetes_version = given.kubernetes_version, node_count = given.node_count,
           last_contact_at = given.last_contact_at, removed = false
      from ${clusters} where known.id = given.id`);
  return added.map(({ id }) => id);
}

/**
 * Binds new clusters to active contracts of their owner that are not full (open-points 5.1, 5.7). When the cluster was
 * imported, the contract must have started and must have had `autoAssignCluster`. A cluster is new only in the
 * transaction that adds its row. So a binding that was removed does not come back.
 */
async function assignClusters(transaction: Transaction, clusterIds: readonly number[]): Promise<void> {
  if (clusterIds.length === 0) return;
  const takes = sql`
    ${isActive(sql`contract`)} and contract.owner_id = cluster.owner_id
      and contract.starts_at <= cluster.imported_at and contract.auto_assign_since <= cluster.imported_at
      and (select count(*) from contract_cluster where contract_id = contract.id) < ${mostClustersOfContract}`;
  await transaction.query(sql`
    select contract.id from contract
     where exists (
       select from imported_cluster cluster where cluster.id = any (${clusterIds}::bigint[]) and ${takes}
     )
     order by contract.id for no key update`);
  const bound = await transaction.query<{ contractId: number; uid: string }>(sql`
    insert into contract_cluster (contract_id, cluster_uid, display_name)
    select contract.id, cluster.uid, left(cluster.display_name, 100)
      from imported_cluster cluster join contract on ${takes}
     where cluster.id = any (${clusterIds}::bigint[])
     order by contract.id, cluster.id
        on conflict (contract_id, cluster_uid) do nothing
    returning contract_id as "contractId", cluster_uid as "uid"`);
  await insertEvents(
    transaction, system, bound.map(({ contractId, uid }) => ({ contractId, event: `cluster.added ${uid}` as const })),
  );
}
