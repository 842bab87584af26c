import { notFound } from '@platform/faults';
import { pageOf } from '@platform/lists';
import type { ClusterServiceService } from '@platform/proto/clusters/v1/cluster';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { toClusterInfo } from './convert.ts';
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
