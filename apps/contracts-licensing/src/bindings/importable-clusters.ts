import { lastContactOf } from '@platform/facts';
import { byId, type Listed, type Page, readPage } from '@platform/lists';
import type { ClusterInfo } from '@platform/proto/clusters/v1/cluster_info';
import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { clusterPhase } from '@platform/values';
import { ownedBy } from '../accounts/store.ts';

interface ImportedClusterRow {
  readonly id: number;
  readonly ownerId: number;
  readonly ownerSlug: string;
  readonly uid: string;
  readonly name: string;
  readonly displayName: string;
  readonly importedAt: Date;
  readonly provider: string;
  readonly kubernetesVersion: string;
  readonly nodeCount: number;
  readonly lastContactAt: Date | null;
}

/**
 * Clusters that the owner of a contract has imported and that are not bound to the contract; undefined when there is no
 * such contract, or when its owner is not `ownerId`.
 */
export function readImportableClusters(
  queryable: Queryable, contractId: number, ownerId: number | undefined, page: Page, deadline: Deadline,
): Promise<Listed<ImportedClusterRow> | undefined> {
  const importable = sql`
    imported_cluster cluster
     where cluster.owner_id = contract.owner_id and not cluster.removed and not exists (
       select from contract_cluster bound where bound.contract_id = contract.id and bound.cluster_uid = cluster.uid
     )`;
  return readPage<ImportedClusterRow>(queryable, {
    rows: sql`
      select cluster.* from contract cross join lateral (
        select cluster.id, cluster.owner_id as "ownerId",
               coalesce((select slug from account where account.id = cluster.owner_id), '') as "ownerSlug",
               cluster.uid, cluster.name, cluster.display_name as "displayName", cluster.imported_at as "importedAt",
               cluster.provider, cluster.kubernetes_version as "kubernetesVersion", cluster.node_count as "nodeCount",
               ${lastContactOf(sql`cluster`)} as "lastContactAt"
          from ${importable}
      ) cluster where contract.id = ${contractId}`,
    order: byId,
    count: sql`
      select (select count(*) from ${importable}) from contract
       where contract.id = ${contractId} and ${ownedBy(ownerId)}`,
  }, page, deadline);
}

/** An imported cluster as the API shows it (open-points 8.2). */
export function toClusterInfo({ ownerSlug, importedAt, lastContactAt, ...row }: ImportedClusterRow): ClusterInfo {
  return {
    id: row.id,
    displayName: row.displayName,
    name: row.name,
    uid: row.uid,
    ownerId: row.ownerId,
    ownerName: ownerSlug,
    provider: row.provider,
    kubernetesVersion: row.kubernetesVersion,
    nodeCount: row.nodeCount,
    createdAt: importedAt.toISOString().replace(/\.\d{3}Z$/, 'Z'),
    status: { phase: clusterPhase(lastContactAt, new Date()) },
  };
}
