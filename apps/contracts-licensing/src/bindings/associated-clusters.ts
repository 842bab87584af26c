import { type Listed, orderBy, type Page, pageOf, readPage } from '@platform/lists';
import { type Queryable, sql } from '@platform/postgres';
import type { AssociatedCluster, UserContractClusterServiceService } from '@platform/proto/contracts/v1/user_binding';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { contractOf, isActive } from '../contracts/binding-row.ts';
import type { Parts } from '../parts.ts';

/** A cluster with its bindings to the active contracts of one account. */
interface AssociatedRow {
  /** UUID in lower case. */
  readonly cluster: string;
  /** By ascending id of the contract. */
  readonly bindings: readonly { contractId: number; displayName: string; tags: string[]; endsAt: string }[];
}

const byCluster = orderBy({ column: 'cluster', kind: 'uuid' });

/** Returns a page of the clusters of all active contracts of an account, without duplicates, by ascending UUID. */
export async function readAssociatedClusters(
  queryable: Queryable, ownerId: number, page: Page, deadline: Deadline,
): Promise<Listed<AssociatedRow>> {
  // Triggers of the schema maintain the table `associated_cluster` (ADR 0149).
  const associated = sql`associated_cluster where owner_id = ${ownerId} and active @> now()`;
  const listed = await readPage<AssociatedRow>(queryable, {
    rows: sql`select cluster_uid as "cluster" from ${associated}`,
    order: byCluster,
    count: sql`select count(*) from ${associated}`,
    details: sql`
      select item.cluster, json_agg(json_build_object(
               'contractId', contract.id, 'displayName', binding.display_name, 'tags', binding.tags,
               'endsAt', contract.ends_at at time zone 'UTC'
             ) order by contract.id) as "bindings"
        from contract_cluster binding ${contractOf(sql`binding`, sql`contract`)}
       where binding.cluster_uid = item.cluster and contract.owner_id = ${ownerId} and ${isActive(sql`contract`)}`,
  }, page, deadline);
  return listed!;
}

/** Converts a cluster for the API. The name is from the contract that ends last. The tags are from all contracts. */
function toAssociatedCluster({ cluster, bindings }: AssociatedRow): AssociatedCluster {
  const last = bindings.reduce((latest, one) => (one.endsAt > latest.endsAt ? one : latest));
  return {
    associatedContractIds: bindings.map(({ contractId }) => contractId),
    cluster,
    displayName: last.displayName,
    tags: [...new Set(bindings.flatMap(({ tags }) => tags))],
  };
}

/** GET /user/contracts/active/associated-clusters (spec §4.4). */
export function listAssociatedClusters(
  { database, config }: Parts,
): Handler<typeof UserContractClusterServiceService.listAssociatedClusters> {
  return async (request, { account, deadline }) => {
    const page = pageOf(request, config);
    const { items, total, next } = await readAssociatedClusters(database, account.id, page, deadline);
    return { clusters: items.map(toAssociatedCluster), total, next };
  };
}
