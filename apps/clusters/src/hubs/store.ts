import { type Queryable, sql } from '@platform/postgres';
import type { Deadline, Sealed } from '@platform/service';

/** A hub, with the sealed kubeconfig from the row `sourceId`. */
export interface HubRow extends Sealed {
  readonly uid: string;
  readonly name: string;
  /** Id of the row with the kubeconfig. For the hub of a client organization, another account owns this row. */
  readonly sourceId: number;
  readonly sourceOwnerId: number;
  readonly ofClient: boolean;
}

const hubs = sql`
  select cluster.uid, cluster.name, source.id as "sourceId",
         source.owner_id as "sourceOwnerId", source.sealed_by as "keyId",
         source.sealed_secret as bytes, cluster.hub_owner_id is not null as "ofClient"
    from cluster
    join cluster source
      on source.uid = cluster.uid and source.owner_id = coalesce(cluster.hub_owner_id, cluster.owner_id)
     and source.hub and source.sealed_by is not null
   where cluster.hub`;

/** The hub with this id and owner. Undefined if there is no such hub, or if no kubeconfig of the hub is stored. */
export function findHub(
  queryable: Queryable, { id, ownerId }: { readonly id: number; readonly ownerId: number }, deadline: Deadline,
): Promise<HubRow | undefined> {
  return queryable.maybeOne(sql<HubRow>`
    ${hubs} and cluster.id = ${id} and cluster.owner_id = ${ownerId}`, { deadline });
}

/** The key of a hub: the UID, and the account that imported the hub with a kubeconfig. */
export interface HubKey {
  readonly ownerId: number;
  readonly uid: string;
}

export function findImportedHub(
  queryable: Queryable, { ownerId, uid }: HubKey, deadline: Deadline,
): Promise<HubRow | undefined> {
  return queryable.maybeOne(sql<HubRow>`
    ${hubs} and cluster.uid = ${uid}::uuid and cluster.owner_id = ${ownerId}
        and cluster.hub_owner_id is null`, { deadline });
}

export function readImportedHubs(queryable: Queryable, deadline: Deadline): Promise<HubKey[]> {
  return queryable.query(sql<HubKey>`
    select owner_id as "ownerId", uid from cluster where hub and hub_owner_id is null and sealed_by is not null
     order by id`, { deadline });
}

export async function findClientOnHub(
  queryable: Queryable, { ownerId, uid }: HubKey, deadline: Deadline,
): Promise<string | undefined> {
  const row = await queryable.maybeOne(sql<{ name: string }>`
    select name from client_organization
     where hub_owner_id = ${ownerId} and hub_uid = ${uid}::uuid and state <> 'deleted'
     order by id limit 1`, { deadline });
  return row?.name;
}

interface KnownCluster {
  readonly uid: string;
  readonly displayName: string;
  readonly provider: string;
  readonly kubernetesVersion: string;
  readonly nodeCount: number;
}

/**
 * Returns one import of each cluster, by UID: the import by the account `ownerId` if there is one, otherwise the oldest
 * import. Leaves out UIDs without an import.
 */
export async function readKnownClusters(
  queryable: Queryable, uids: readonly string[], ownerId: number, deadline: Deadline,
): Promise<ReadonlyMap<string, KnownCluster>> {
  const rows = await queryable.query(sql<KnownCluster>`
    select distinct on (uid)
           uid, display_name as "displayName", provider, kubernetes_version as "kubernetesVersion",
           node_count as "nodeCount"
      from cluster
     where uid = any (${uids}::uuid[])
     order by uid, owner_id <> ${ownerId}, id`, { deadline });
  return new Map(rows.map((row) => [row.uid, row]));
}

export async function readImportedBy(
  queryable: Queryable, uids: readonly string[], ownerId: number, deadline: Deadline,
): Promise<ReadonlySet<string>> {
  const rows = await queryable.query(sql<{ uid: string }>`
    select uid from cluster where owner_id = ${ownerId} and uid = any (${uids}::uuid[])`, { deadline });
  return new Set(rows.map(({ uid }) => uid));
}
