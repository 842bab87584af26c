import { type Queryable, type QueryOptions, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { micros } from './micros.ts';
import { keptAfterDeletion, type MeteredObject } from './read-objects.ts';

export interface BilledCluster {
  readonly uid: string;
  readonly name: string;
  readonly displayName: string;
  readonly provider: string;
  /** Version of Kubernetes, from the cluster's SiteInfo, otherwise from the imported cluster. Empty if unknown. */
  readonly kubernetesVersion: string;
  /** Number of nodes, from the cluster's SiteInfo, otherwise from the imported cluster. 0 if unknown. */
  readonly nodeCount: number;
  /** The capacity of all nodes, from SiteInfo; empty if unknown. */
  readonly capacityCpu: string;
  readonly capacityMemory: string;
}

export interface BilledObject extends MeteredObject {
  /** The report of the object leaves out volumes that were deleted before this time (microseconds since 1970). */
  readonly shownSinceUs: number;
}

export interface BilledClient {
  readonly name: string;
  /** Billing metadata of the client organization for the cluster (open-points 4.1). */
  readonly metadata: Readonly<Record<string, string>>;
}

/** Reads the clusters of an owner's active contracts with client billing (open-points 7.4), sorted by UID. */
export function readBilledClusters(
  queryable: Queryable, ownerId: number, deadline: Deadline, uid?: string,
): Promise<BilledCluster[]> {
  return queryable.query(sql<BilledCluster>`
    select billed.uid, coalesce(cluster.name, '') as "name", coalesce(cluster.display_name, '') as "displayName",
           coalesce(cluster.provider, 'Generic') as "provider",
           coalesce(site.info #>> '{version,gitVersion}', cluster.kubernetes_version, '') as "kubernetesVersion",
           -- Members may send anything.
           coalesce(substring(site.info #>> '{nodeStats,count}' from '^[0-9]{1,9}$')::integer, cluster.node_count, 0)
             as "nodeCount",
           coalesce(site.info #>> '{nodeStats,capacity,cpu}', '') as "capacityCpu",
           coalesce(site.info #>> '{nodeStats,capacity,memory}', '') as "capacityMemory"
      from (
        select distinct bound.cluster_uid as uid
          from contract join contract_cluster bound on bound.contract_id = contract.id
         where contract.owner_id = ${ownerId} and contract.enable_client_billing and contract.revoked_at is null
           and contract.starts_at <= now() and now() < contract.ends_at and bound.removed_at is null
           and ${uid === undefined ? sql`true` : sql`bound.cluster_uid = ${uid}::uuid`}
      ) billed
      left join lateral (
        select * from cluster known where known.owner_id = ${ownerId} and known.uid = billed.uid
         order by known.removed, known.id desc limit 1
      ) cluster on true
      left join lateral (
        select resource -> 'kubernetes' as info from site_info
         where owner_id = ${ownerId} and cluster_uid = billed.uid order by seen_at desc limit 1
      ) site on true
     order by billed.uid`, { deadline });
}

/** Reads the client organizations of clusters. The result is a map by {@link clientKey}. */
export async function readBilledClients(
  queryable: Queryable, clusterUids: readonly string[], deadline: Deadline,
): Promise<ReadonlyMap<string, BilledClient>> {
  const rows = await queryable.query(sql<BilledClient & { clusterUid: string; clientOrgId: string }>`
    select known.cluster_uid as "clusterUid", known.organization_id::text as "clientOrgId", account.slug as "name",
           known.metadata
      from client_cluster known join account on account.id = known.organization_id
     where known.cluster_uid = any (${clusterUids}::uuid[])`, { deadline });
  return new Map(rows.map(({ name, metadata, ...key }) => [clientKey(key), { name, metadata }]));
}

export function clientKey({ clusterUid, clientOrgId }: Readonly<Record<'clusterUid' | 'clientOrgId', string>>): string {
  return `${clusterUid} ${clientOrgId}`;
}

const order = sql.join([
  sql`object.cluster_uid`,
  ...(['namespace', 'namespace_uid', 'object_uid', 'product'] as const)
    .map((column) => sql`object.${sql.identifier(column)} collate "C"`),
], sql`, `);

/**
 * Reads the ids of billed objects, sorted by cluster and namespace (open-points 7.4). Reads all ids at once. If the ids
 * were read in pages, each page would sort all objects again.
 */
export async function readBilledIds(
  queryable: Queryable, ownerId: number, clusterUids: readonly string[], deadline: Deadline, namespace?: string,
): Promise<readonly number[]> {
  const { ids } = await queryable.one(sql<{ ids: number[] }>`
    select coalesce(array_agg(id order by ${order}), '{}') as "ids"
      from metered_object object
     where owner_id = ${ownerId} and cluster_uid = any (${clusterUids}::uuid[]) and created_at is not null
       and (deleted_at is null or deleted_at > now() - ${keptAfterDeletion})
       and ${namespace === undefined ? sql`true` : sql`namespace = ${namespace}`}`, { deadline });
  return ids;
}

/**
 * Reads objects in the order of `ids`. The statement returns one JSON value, because the PostgreSQL client reads many
 * rows slowly.
 */
export async function readBilledObjects(
  queryable: Queryable, ids: readonly number[], options: QueryOptions,
): Promise<readonly BilledObject[]> {
  const { objects } = await queryable.one(sql<{ objects: BilledObject[] }>`
    select coalesce(json_agg(json_build_object(
             'id', object.id, 'ownerId', object.owner_id, 'clusterUid', object.cluster_uid, 'product', object.product,
             'objectUid', object.object_uid, 'group', object.api_group, 'kind', object.kind, 'name', object.name,
             'namespace', object.namespace, 'namespaceUid', object.namespace_uid,
             'createdUs', ${micros(sql`object.created_at`)}, 'deletedUs', ${micros(sql`object.deleted_at`)},
             'shownSinceUs', ${micros(sql`now() - ${keptAfterDeletion}`)}
           ) order by given.place), '[]') as "objects"
      from unnest(${ids}::bigint[]) with ordinality given (id, place)
     cross join lateral (select * from metered_object where id = given.id) object`, options);
  return objects;
}
