import { notFound } from '@platform/faults';
import { pageOf } from '@platform/lists';
import type { ClusterAdminServiceService, ClusterServiceService } from '@platform/proto/clusters/v1/cluster';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { toClusterInfo, toRegisteredCluster } from './convert.ts';
import { accountNamed } from './refusals.ts';
import { findClusterNamed, readClusters } from './store.ts';

/** GET /clusters (open-points 18.6): clusters of the acting account. */
export function listImportedClusters(
  { config, database }: Parts,
): Handler<typeof ClusterServiceService.listImportedClusters> {
  return async (request, { account, deadline }) => {
    const { items, total, next } = await readClusters(database, account.id, pageOf(request, config), deadline);
    return { clusters: items.map((row) => toClusterInfo(row, account.name)), total, next };
  };
}

/** GET /clusters/{owner}/{cluster} (open-points 18.6). */
export function getCluster({ database }: Parts): Handler<typeof ClusterServiceService.getCluster> {
  return async (request, { account, deadline }) => {
    const row = await findClusterNamed(database, account.id, request.cluster, deadline);
    if (row === undefined) throw notFound('cluster not found');
    return toClusterInfo(row, account.name);
  };
}

export function listClusters(parts: Parts): Handler<typeof ClusterAdminServiceService.listClusters> {
  const { accounts, config, database } = parts;
  return async (request, context) => {
    const owner = request.owner === '' ? undefined : await accountNamed(parts, request.owner, context);
    const { items, total, next } = await readClusters(database, owner?.id, pageOf(request, config), context.deadline);
    const owners = await accounts.byId([...new Set(items.map(({ ownerId }) => ownerId))], context);
    return { clusters: items.map((row) => toRegisteredCluster(row, owners.get(row.ownerId)?.name ?? '')), total, next };
  };
}
