import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { micros } from './micros.ts';
import { type DetailedVersion, readDetailedVersions } from './read-versions.ts';
import { keptAfterDeletion, type MeteredObject } from './read-objects.ts';

/** An object on a cluster under a contract with client billing. */
export interface BilledObject extends MeteredObject {
  readonly clusterName: string;
  readonly clusterDisplayName: string;
  readonly provider: string;
  readonly kubernetesVersion: string;
  readonly nodeCount: number;
  /** Of all nodes, from SiteInfo; empty: not known. */
  readonly capacityCpu: string;
  readonly capacityMemory: string;
  readonly clientOrgName: string;
  /** What the client organization says to billing about the cluster. */
  readonly clientMetadata: Readonly<Record<string, string>>;
  /** In order. */
  readonly versions: readonly DetailedVersion[];
  /** Time of its latest event. */
  readonly lastAt: number;
}

/** Reads the objects of an owner on clusters that an active contract with client billing covers (open-points 7.4). */
export async function readBilledObjects(
  queryable: Queryable, ownerId: number, deadline: Deadline,
  one?: { readonly clusterUid: string; readonly namespace: string },
): Promise<BilledObject[]> {
  const narrowed = one === undefined
    ? sql`true`
    : sql`object.cluster_uid = ${one.clusterUid}::uuid and object.namespace = ${one.namespace}`;
  const objects = await queryable.query(sql<Omit<BilledObject, 'versions' | 'lastAt'>>`
    select object.id, object.owner_id as "ownerId", object.cluster_uid as "clusterUid", object.product,
           object.object_uid as "objectUid", object.api_group as "group", object.kind, object.name, object.namespace,
           object.namespace_uid as "namespaceUid", ${micros(sql`object.created_at`)} as "createdUs",
           ${micros(sql`object.deleted_at`)} as "deletedUs",
           coalesce(cluster.name, '') as "clusterName", coalesce(cluster.display_name, '') as "clusterDisplayName",
           coalesce(cluster.provider, 'Generic') as "provider",
           coalesce(cluster.kubernetes_version, '') as "kubernetesVersion",
           coalesce(cluster.node_count, 0) as "nodeCount",
           coalesce(site.capacity ->> 'cpu', '') as "capacityCpu",
           coalesce(site.capacity ->> 'memory', '') as "capacityMemory",
           coalesce(client.slug, '') as "clientOrgName", coalesce(client.metadata, '{}') as "clientMetadata"
      from metered_object object
      left join lateral (
        select * from cluster known where known.owner_id = object.owner_id and known.uid = object.cluster_uid
         order by known.removed, known.id desc limit 1
      ) cluster on true
      left join lateral (
        select resource #> '{kubernetes,nodeStats,capacity}' as capacity from site_info
         where owner_id = object.owner_id and cluster_uid = object.cluster_uid order by seen_at desc limit 1
      ) site on true
      -- A member may name any id: only a client organization of the cluster is shown.
      left join lateral (
        select account.slug, known.metadata from client_cluster known join account on account.id = known.organization_id
         where known.cluster_uid = object.cluster_uid and known.organization_id::text = object.client_org_id
      ) client on true
     where object.owner_id = ${ownerId} and object.created_at is not null and ${narrowed}
       and (object.deleted_at is null or object.deleted_at > now() - ${keptAfterDeletion})
       and exists (
         select from contract_cluster bound join contract on contract.id = bound.contract_id
          where bound.cluster_uid = object.cluster_uid and bound.removed_at is null
            and contract.owner_id = object.owner_id and contract.enable_client_billing and contract.revoked_at is null
            and contract.starts_at <= now() and now() < contract.ends_at
       )`, { deadline });
  const versions = await readDetailedVersions(
    queryable, sql`version.metered_id = any (${objects.map(({ id }) => id)}::bigint[])`, { deadline },
  );
  return objects.map((object) => {
    const own = versions.get(object.id)!;
    return { ...object, versions: own, lastAt: own.at(-1)!.at };
  });
}
