import { notFound } from '@platform/faults';
import { orderBy } from '@platform/lists';
import type { ActiveCluster, DashboardUserServiceService } from '@platform/proto/billing/v1/dashboard_user';
import type { ClusterInfo } from '@platform/proto/clusters/v1/cluster_info';
import { type Fragment, sql } from '@platform/postgres';
import type { Handler } from '@platform/rpc';
import { clusterPhase } from '@platform/values';
import type { Parts } from '../parts.ts';
import { rfc3339 } from '../usage/month.ts';
import { accountIsKnown, ownerFrom, pageFrom, placeFrom, readKnown, showTimes, type Timed } from './place.ts';
import { windowStart } from './window.ts';

/** A cluster that is not imported has `id` 0. Its `createdAt` is the time of its first licence or event. */
type ClusterRow = Omit<ClusterInfo, 'ownerId' | 'createdAt' | 'status'>
  & { readonly createdAt: Date; readonly lastContactAt: Date | null };

const byIdAndUid = orderBy({ column: 'id', kind: 'integer' }, { column: 'uid', kind: 'text' });

/** Clusters of an account: imported clusters, and clusters known only from licences or events. */
function knownClusters(ownerId: number): Fragment {
  return sql`
    select coalesce(cluster.id, 0) as "id", known.uid::text collate "C" as "uid"
      from (
        select uid from cluster where owner_id = ${ownerId} and not removed
         union select cluster_uid from licence where owner_id = ${ownerId}
         union select cluster_uid from product_contact where owner_id = ${ownerId}
      ) known
      left join cluster on cluster.owner_id = ${ownerId} and cluster.uid = known.uid and not cluster.removed`;
}

/**
 * SQL that adds details to a cluster, which the outer query provides as the row `item`. An event from a cluster also
 * counts as a contact with the cluster (open-points 13.5).
 */
function clusterDetails(ownerId: number): Fragment {
  const uid = sql`item.uid::uuid`;
  return sql`
    select item.*, coalesce(cluster.name, '') as "name", coalesce(cluster.display_name, '') as "displayName",
           coalesce(cluster.provider, 'Generic') as "provider",
           coalesce(cluster.kubernetes_version, '') as "kubernetesVersion",
           coalesce(cluster.node_count, 0) as "nodeCount",
           (select slug from account where account.id = ${ownerId}) as "ownerName",
           coalesce(cluster.imported_at, least(issued.first_at, reported.first_at)) as "createdAt",
           greatest(cluster.last_contact_at, (
             select (value ->> 'lastAt')::timestamptz from fact
              where kind = 'cluster_contact' and key = concat(${ownerId}::bigint, '/', item.uid)
           )) as "lastContactAt"
      from (
        select min(created_at) as first_at from licence where owner_id = ${ownerId} and cluster_uid = ${uid}
      ) issued
     cross join (
        select min(first_received_at) as first_at
          from product_contact where owner_id = ${ownerId} and cluster_uid = ${uid}
      ) reported
      left join cluster on cluster.id = item.id`;
}

/** GET /dashboard/users/{uid}/clusters (spec §4.6). */
export function listUserClusters(
  { config, database }: Parts,
): Handler<typeof DashboardUserServiceService.listUserClusters> {
  return async (request, { deadline }) => {
    const page = pageFrom(request, config);
    const ownerId = ownerFrom(request);
    const { items, total, next } = await readKnown<ClusterRow>(database, accountIsKnown({ ownerId }), {
      rows: knownClusters(ownerId), order: byIdAndUid, details: clusterDetails(ownerId),
    }, page, deadline);
    return { clusters: items.map((row) => showCluster(row, ownerId)), total, next };
  };
}

/** GET /dashboard/users/{uid}/clusters/{cid}. */
export function getUserCluster({ database }: Parts): Handler<typeof DashboardUserServiceService.getUserCluster> {
  return async (request, { deadline }) => {
    const place = placeFrom(request);
    const { ownerId, clusterUid } = place;
    const row = await database.maybeOne(sql<ClusterRow>`
      select detail.*
        from (${knownClusters(ownerId)}) item cross join lateral (${clusterDetails(ownerId)}) detail
       where item.uid = ${clusterUid} and ${accountIsKnown(place)}`, { deadline });
    if (row === undefined) throw notFound();
    return showCluster(row, ownerId);
  };
}

function showCluster({ createdAt, lastContactAt, ...row }: ClusterRow, ownerId: number): ClusterInfo {
  const phase = row.id === 0 ? 'NotImported' : clusterPhase(lastContactAt, new Date());
  return { ...row, ownerId, createdAt: rfc3339(createdAt.getTime() * 1000), status: { phase } };
}

const byClusterId = orderBy({ column: 'clusterId', kind: 'text' });

/** GET /dashboard/users/{uid}/clusters/active. */
export function listActiveClusters(
  { config, database }: Parts,
): Handler<typeof DashboardUserServiceService.listActiveClusters> {
  return async ({ limit, ...request }, { deadline }) => {
    const [page, since, ownerId] = [pageFrom(request, config), windowStart(limit), ownerFrom(request)];
    const rows = sql`
      select cluster_uid::text collate "C" as "clusterId", min(first_received_at) as "firstReceivedAt",
             max(last_received_at) as "lastReceivedAt"
        from product_contact where owner_id = ${ownerId}
       group by cluster_uid having max(last_received_at) >= ${since}`;
    const { items, total, next } = await readKnown<Timed<ActiveCluster>>(database, accountIsKnown({ ownerId }), {
      rows, order: byClusterId,
      details: sql`
        select item.*, (select slug from account where account.id = ${ownerId}) as "username", (
                 select count(distinct contract.id)::integer
                   from contract_cluster bound join contract on contract.id = bound.contract_id
                  where bound.cluster_uid = item."clusterId"::uuid and bound.removed_at is null
                    and contract.owner_id = ${ownerId} and contract.revoked_at is null
                    and contract.starts_at <= now() and now() < contract.ends_at
               ) as "noOfAssociatedContracts"`,
    }, page, deadline);
    return { clusters: items.map(showTimes), total, next };
  };
}
