import { putRows } from '@platform/owners';
import type { Database } from '@platform/postgres';
import type { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import type { Handler } from '@platform/rpc';
import { clusterTable, clusterToMessage } from '../cluster-table.ts';

export function putClusters(database: Database): Handler<typeof ClusterOwnerServiceService.putClusters> {
  const put = putRows(database, clusterTable);
  return async ({ clusters }, { deadline }) => {
    const rows = await put(clusters.map(({ uid: key, ownerId, ...texts }) => ({ key, ownerId, ...texts })), deadline);
    return { clusters: rows.map(clusterToMessage) };
  };
}
