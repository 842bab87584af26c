import { type Queryable, sql } from '@platform/postgres';
import type { Deadline, Sealed } from '@platform/service';

/** A cluster that was imported as a hub, with its kubeconfig. */
export interface HubRow extends Sealed {
  readonly uid: string;
}

/** Undefined when the cluster is gone, belongs to another account now, or is no hub. */
export function findHub(
  queryable: Queryable, { id, ownerId }: { readonly id: number; readonly ownerId: number }, deadline: Deadline,
): Promise<HubRow | undefined> {
  return queryable.maybeOne(
    sql<HubRow>`
      select uid, sealed_by as "keyId", sealed_secret as bytes
        from cluster
       where id = ${id} and owner_id = ${ownerId} and hub and sealed_by is not null`,
    { deadline },
  );
}

/** What the registry knows of a managed cluster. */
export interface KnownCluster {
  readonly uid: string;
  readonly displayName: string;
  readonly provider: string;
  readonly kubernetesVersion: string;
  readonly nodeCount: number;
}

/** Clusters by UID, of any account: the entry of the hub's owner where there is one, else the oldest. */
export async function readKnownClusters(
  queryable: Queryable, uids: readonly string[], ownerId: number, deadline: Deadline,
): Promise<ReadonlyMap<string, KnownCluster>> {
  const rows = await queryable.query(
    sql<KnownCluster>`
      select distinct on (uid)
             uid, display_name as "displayName", provider, kubernetes_version as "kubernetesVersion",
             node_count as "nodeCount"
        from cluster
       where uid = any (${uids}::uuid[])
       order by uid, owner_id <> ${ownerId}, id`,
    { deadline },
  );
  return new Map(rows.map((row) => [row.uid, row]));
}

/** Which of these clusters an account has imported, by UID. */
export async function readImportedBy(
  queryable: Queryable, uids: readonly string[], ownerId: number, deadline: Deadline,
): Promise<ReadonlySet<string>> {
  const rows = await queryable.query(
    sql<{ uid: string }>`select uid from cluster where owner_id = ${ownerId} and uid = any (${uids}::uuid[])`,
    { deadline },
  );
  return new Set(rows.map(({ uid }) => uid));
}
