import { notFound } from '@platform/faults';
import type {
  ClusterAdminServiceService, ClusterServiceService, RemoveClusterRequest, RemoveClusterResponse,
} from '@platform/proto/clusters/v1/cluster';
import type { Handler } from '@platform/rpc';
import { conflict } from '@platform/values';
import type { WriteContext } from '@platform/writes';
import { accountNotFound } from '../faults.ts';
import { findClientOnHub } from '../hubs/store.ts';
import type { Parts } from '../parts.ts';
import { deleteCluster, findClusterNamed } from './store.ts';

/** Removes a cluster of the acting account. */
export function removeCluster(parts: Parts): Handler<typeof ClusterServiceService.removeCluster> {
  return (request, context) => remove(parts, context.account.id, request, context);
}

/** Removes a cluster of any account, for the operator. */
export function removeClusterAsOperator(parts: Parts): Handler<typeof ClusterAdminServiceService.removeCluster> {
  return async (request, context) => {
    const owner = await parts.accounts.byName(request.owner!, context);
    if (owner === undefined) throw accountNotFound(request.owner!);
    return await remove(parts, owner.id, request, context);
  };
}

/**
 * Bindings stay when a cluster is removed (open-points 5.7), so a binding that is made at the same moment does no harm:
 * what is in use is asked before the transaction.
 */
async function remove(
  { contracts, database, write }: Parts, ownerId: number, { name, force }: RemoveClusterRequest, context: WriteContext,
): Promise<RemoveClusterResponse> {
  const cluster = await findClusterNamed(database, ownerId, name!, context.deadline);
  if (cluster === undefined) throw notFound('cluster not found');
  if (!force) {
    const { contractIds } = await contracts.listActiveContractsOfCluster({ ownerId, uid: cluster.uid }, context);
    if (contractIds.length > 0) {
      throw conflict(`the cluster is bound to the active contract ${contractIds.join(', ')}; force removes it anyway`);
    }
  }
  if (!force) {
    const client = await findClientOnHub(database, { ownerId, uid: cluster.uid }, context.deadline);
    if (client !== undefined) throw conflict(`the cluster is the hub of ${client}; force removes it anyway`);
  }
  if (!(await write(context, [], (work) => deleteCluster(work, cluster)))) throw notFound('cluster not found');
  return {};
}
