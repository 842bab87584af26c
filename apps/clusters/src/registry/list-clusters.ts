import { pageOf } from '@platform/lists';
import type { ClusterAdminServiceService } from '@platform/proto/clusters/v1/cluster';
import type { Handler } from '@platform/rpc';
import { accountNotFound } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { toRegisteredCluster } from './convert.ts';
import { readClusters } from './store.ts';

export function listClusters(
  { accounts, config, database }: Parts,
): Handler<typeof ClusterAdminServiceService.listClusters> {
  return async (request, context) => {
    const owner = request.owner === '' ? undefined : await accounts.byName(request.owner, context);
    if (owner === undefined && request.owner !== '') throw accountNotFound(request.owner);
    const page = pageOf(request, config);
    const { items, total, next } = await readClusters(database, owner?.id, page, context.deadline);
    const owners = await accounts.byId([...new Set(items.map(({ ownerId }) => ownerId))], context);
    return { clusters: items.map((row) => toRegisteredCluster(row, owners.get(row.ownerId)?.name ?? '')), total, next };
  };
}
