import { moveRow } from '@platform/owners';
import type { Database } from '@platform/postgres';
import type { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import type { Handler } from '@platform/rpc';
import { clusterTable, clusterToMessage } from '../cluster-table.ts';

export function moveCluster(database: Database): Handler<typeof ClusterOwnerServiceService.moveCluster> {
  const move = moveRow(database, clusterTable);
  return async (request, { deadline }) => clusterToMessage(await move(request, deadline));
}
