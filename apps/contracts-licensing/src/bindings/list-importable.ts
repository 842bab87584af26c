import { lastContactOf } from '@platform/facts';
import { byId, pageOf, readPage } from '@platform/lists';
import type { ClusterInfo } from '@platform/proto/clusters/v1/cluster_info';
import { sql } from '@platform/postgres';
import type { ContractClusterServiceService } from '@platform/proto/contracts/v1/binding';
import type { Handler } from '@platform/rpc';
import { clusterPhase } from '@platform/values';
import type { RequiredOwner } from '../accounts/scope.ts';
import { ownedBy } from '../accounts/store.ts';
import { contractNotFound } from '../faults.ts';
import type { Parts } from '../parts.ts';

interface ImportedClusterRow extends Omit<ClusterInfo, 'ownerName' | 'createdAt' | 'status'> {
  readonly ownerSlug: string;
  readonly importedAt: Date;
  readonly lastContactAt: Date | null;
}

/** GET …/contracts/{id}/clusters/imported/non-associated, for site admins (spec §4.3) and for users (spec §4.4). */
export function listImportable(
  { database, config }: Parts, requiredOwner: RequiredOwner,
): Handler<typeof ContractClusterServiceService.listImportableClusters> {
  const importable = sql`
    imported_cluster cluster
     where cluster.owner_id = contract.owner_id and not cluster.removed and not exists (
       select from contract_cluster bound where bound.contract_id = contract.id and bound.cluster_uid = cluster.uid
     )`;
  return async (request, context) => {
    const page = pageOf(request, config);
    const listed = await readPage<ImportedClusterRow>(database, {
      rows: sql`
        select cluster.* from contract cross join lateral (
          select cluster.id, cluster.owner_id as "ownerId",
                 coalesce((select slug from account where account.id = cluster.owner_id), '') as "ownerSlug",
                 cluster.uid, cluster.name, cluster.display_name as "displayName", cluster.imported_at as "importedAt",
                 cluster.provider, cluster.kubernetes_version as "kubernetesVersion", cluster.node_count as "nodeCount",
                 ${lastContactOf(sql`cluster`)} as "lastContactAt"
            from ${importable}
        ) cluster where contract.id = ${request.id}`,
      order: byId,
      count: sql`
        select (select count(*) from ${importable}) from contract
         where contract.id = ${request.id} and ${ownedBy(requiredOwner(context))}`,
    }, page, context.deadline);
    if (listed === undefined) throw contractNotFound();
    return { clusters: listed.items.map(toClusterInfo), total: listed.total, next: listed.next };
  };
}

/** An imported cluster as the API shows it (open-points 8.2). */
function toClusterInfo({ ownerSlug, importedAt, lastContactAt, ...row }: ImportedClusterRow): ClusterInfo {
  return {
    ...row, ownerName: ownerSlug, createdAt: importedAt.toISOString().replace(/\.\d{3}Z$/, 'Z'),
    status: { phase: clusterPhase(lastContactAt, new Date()) },
  };
}
