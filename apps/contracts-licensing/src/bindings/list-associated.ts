import { pageOf } from '@platform/lists';
import type { UserContractClusterServiceService } from '@platform/proto/contracts/v1/user_binding';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { readAssociatedClusters, toAssociatedCluster } from './associated-clusters.ts';

/** GET /user/contracts/active/associated-clusters (spec §4.4). */
export function listAssociatedClusters(
  { database, config }: Parts,
): Handler<typeof UserContractClusterServiceService.listAssociatedClusters> {
  return async (request, { account, deadline }) => {
    const { items, total, next } = await readAssociatedClusters(
      database, account.id, pageOf(request, config), deadline,
    );
    return { clusters: items.map(toAssociatedCluster), total, next };
  };
}
