import { lastContactOf } from '@platform/facts';
import type { describeCluster } from '@platform/kubernetes';
import { byId, type Listed, type Page, readPage } from '@platform/lists';
import type { OwnedTable } from '@platform/owners';
import { type Fragment, type Queryable, sql } from '@platform/postgres';
import { type Deadline, Secret, type Sealer } from '@platform/service';
import { lostMs } from '@platform/values';
import type { SealedTable } from '@platform/writes';

/** The table `cluster`. UID and name are unique per owner (open-points 4.4). */
export const clusterTable: OwnedTable<'name' | 'displayName'> = {
  type: 'cluster',
  plural: 'clusters',
  key: { field: 'uid', column: 'uid', title: 'UID', perOwner: true },
  texts: {
    name: { column: 'name', least: 1, most: 100 },
    displayName: { column: 'display_name', least: 0, most: 100 },
  },
};

export interface ClusterRow {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly displayName: string;
  readonly ownerId: number;
  readonly provider: string;
  readonly kubernetesVersion: string;
  readonly nodeCount: number;
  readonly hub: boolean;
  readonly createdAt: Date;
  readonly lastContactAt: Date | null;
}

const columns = sql`
  id, uid, name, display_name as "displayName", owner_id as "ownerId", provider,
  kubernetes_version as "kubernetesVersion", node_count as "nodeCount", hub,
  created_at as "createdAt", ${lastContactOf(sql`cluster`)} as "lastContactAt"`;

export type DescribedCluster = Omit<Awaited<ReturnType<typeof describeCluster>>, 'uid'>;

/** The values of an import. For a known cluster, undefined fields stay unchanged. */
interface ImportedCluster extends Pick<ClusterRow, 'ownerId' | 'uid' | 'name'> {
  readonly displayName: string | undefined;
  readonly provider: string | undefined;
  readonly described: DescribedCluster | undefined;
}

/**
 * Adds a cluster, or updates the cluster with this owner and UID.
 * @throws UniqueViolation cluster_name_of_owner, CheckViolation cluster_owner_open or cluster_hub_owner
 */
export function putCluster(queryable: Queryable, cluster: ImportedCluster): Promise<ClusterRow> {
  const { ownerId, uid, name, displayName = null, provider = null, described } = cluster;
  const { version = null, nodeCount = null, hub = null } = described ?? {};
  const contact = described === undefined ? sql`null::timestamptz` : sql`now()`;
  return queryable.one(sql<ClusterRow>`
    insert into cluster
           (owner_id, uid, name, display_name, provider, kubernetes_version, node_count, hub, last_contact_at)
    values (${ownerId}, ${uid}, ${name}, coalesce(${displayName}::text, ''), coalesce(${provider}::text, 'Generic'),
            coalesce(${version}::text, ''), coalesce(${nodeCount}::integer, 0), coalesce(${hub}::boolean, false),
            ${contact})
    on conflict on constraint cluster_key_of_owner do update
       set name = excluded.name,
           display_name = coalesce(${displayName}::text, cluster.display_name),
           provider = coalesce(${provider}::text, cluster.provider),
           kubernetes_version = coalesce(${version}::text, cluster.kubernetes_version),
           node_count = coalesce(${nodeCount}::integer, cluster.node_count),
           hub = coalesce(${hub}::boolean, cluster.hub),
           last_contact_at = coalesce(${contact}, cluster.last_contact_at)
    returning ${columns}`);
}

/**
 * Whether an import would exceed the limit of unproven clusters of an account (open-points 6.5). A cluster is unproven
 * until a kubeconfig has reached the cluster, or the cluster has sent an event under the account. Locks the owner, so
 * that concurrent imports for this owner wait.
 */
export async function isOneTooMany(
  transaction: Queryable, ownerId: number, uid: string, most: number,
): Promise<boolean> {
  await transaction.query(sql`select lock_owner_alone(${ownerId})`);
  const hasReported = (clusterUid: Fragment): Fragment => sql`exists (
    select from cluster_contact contact where contact.owner_id = ${ownerId} and contact.cluster_uid = ${clusterUid}
  )`;
  const { isNew, unproven } = await transaction.one(sql<{ isNew: boolean; unproven: number }>`
    select not ${hasReported(sql`${uid}::uuid`)}
             and not exists (select from cluster where owner_id = ${ownerId} and uid = ${uid}::uuid) as "isNew",
           (
             select count(*)::integer from cluster
              where owner_id = ${ownerId} and last_contact_at is null and not ${hasReported(sql`cluster.uid`)}
           ) as "unproven"`);
  return isNew && unproven >= most;
}

/** The table of the kubeconfigs. `platform admin keys rotate` seals them again. */
export const sealedKubeconfigs: SealedTable<{ readonly id: number }> = {
  table: 'cluster', columns: sql`id`, identityOf: ({ id }) => `cluster/${id}/kubeconfig`,
};

export async function keepKubeconfig(
  queryable: Queryable, sealer: Sealer, clusterId: number, kubeconfig: string,
): Promise<void> {
  const { keyId, bytes } = sealer.seal(new Secret(kubeconfig), sealedKubeconfigs.identityOf({ id: clusterId }));
  await queryable.execute(sql`
    update cluster set sealed_by = ${keyId}, sealed_secret = ${bytes} where id = ${clusterId}`);
}

/** Reads a page of the clusters of one account, or of all clusters, by ascending id. */
export async function readClusters(
  queryable: Queryable, ownerId: number | undefined, page: Page, deadline: Deadline,
): Promise<Listed<ClusterRow>> {
  const owned = ownerId === undefined ? sql`true` : sql`owner_id = ${ownerId}`;
  const listed = await readPage<ClusterRow>(queryable, {
    rows: sql`select ${columns} from cluster where ${owned}`, order: byId,
    count: sql`select count(*) from cluster where ${owned}`,
  }, page, deadline);
  return listed!;
}

export function findClusterNamed(
  queryable: Queryable, ownerId: number, name: string, deadline: Deadline,
): Promise<ClusterRow | undefined> {
  return queryable.maybeOne(sql<ClusterRow>`
    select ${columns} from cluster where owner_id = ${ownerId} and name = ${name}`, { deadline });
}

/** Locks a cluster; undefined if it no longer exists or belongs to another account now. */
export function lockCluster(
  transaction: Queryable, { id, ownerId }: Pick<ClusterRow, 'id' | 'ownerId'>,
): Promise<ClusterRow | undefined> {
  return transaction.maybeOne(sql<ClusterRow>`
    select ${columns} from cluster where id = ${id} and owner_id = ${ownerId} for update`);
}

/** Changes a cluster. Undefined fields stay unchanged. @throws CheckViolation cluster_hub_owner */
export function changeCluster(
  queryable: Queryable, id: number, change: Pick<ImportedCluster, 'displayName' | 'described'>,
): Promise<ClusterRow> {
  const { displayName = null, described } = change;
  const { version = null, nodeCount = null, hub = null } = described ?? {};
  return queryable.one(sql<ClusterRow>`
    update cluster
       set display_name = coalesce(${displayName}::text, display_name),
           kubernetes_version = coalesce(${version}::text, kubernetes_version),
           node_count = coalesce(${nodeCount}::integer, node_count),
           hub = coalesce(${hub}::boolean, hub),
           last_contact_at = case when ${described !== undefined}::boolean then now() else last_contact_at end
     where id = ${id}
    returning ${columns}`);
}

export async function deleteClusterRow(transaction: Queryable, id: number): Promise<void> {
  await transaction.execute(sql`delete from cluster where id = ${id}`);
}

/**
 * Marks clusters whose last contact is older than `lostMs`. Removes the mark after a new contact. A trigger on
 * `cluster` creates a webhook event for each lost cluster (ADR 0270).
 */
export async function noteLostClusters(queryable: Queryable, { deadline }: { deadline: Deadline }): Promise<void> {
  await queryable.execute(sql`
    update cluster set lost_at = case when lost_at is null then now() end
     where (lost_at is not null) <> coalesce(
             ${lastContactOf(sql`cluster`)} < now() - ${lostMs}::double precision * interval '1 millisecond', false)`,
  { deadline });
}
