import type { ClusterAdminServiceService, ClusterServiceService } from '@platform/proto/clusters/v1/cluster';
import type { Handler } from '@platform/rpc';
import { conflict } from '@platform/values';
import type { WriteContext } from '@platform/writes';
import { findClientOnHub } from '../hubs/store.ts';
import type { Parts } from '../parts.ts';
import { expectedCluster } from './convert.ts';
import { accountNamed } from './refusals.ts';
import { type ClusterRow, deleteClusterRow, findClusterNamed, lockCluster } from './store.ts';

/** DELETE /clusters/{owner}/{cluster} (open-points 18.6). */
export function deleteCluster(parts: Parts): Handler<typeof ClusterServiceService.deleteCluster> {
  return ({ cluster: name, ...removal }, context) => remove(parts, context.account, { ...removal, name }, context);
}

export function removeCluster(parts: Parts): Handler<typeof ClusterServiceService.removeCluster> {
  return ({ name, force }, context) => remove(parts, context.account, { name: name!, force }, context);
}

export function removeClusterAsOperator(parts: Parts): Handler<typeof ClusterAdminServiceService.removeCluster> {
  return async ({ owner: ownerName, name, force }, context) => {
    const owner = await accountNamed(parts, ownerName!, context);
    return await remove(parts, owner, { name: name!, force }, context);
  };
}

/**
 * Removes a cluster. Without `force`, first checks that the cluster is not in use. Between the check and the
 * removal, the cluster may be bound to a contract. That is harmless, because the removal keeps such bindings
 * (open-points 5.7).
 */
async function remove(
  parts: Parts, owner: { readonly id: number; readonly name: string },
  { name, force, ifMatch }: { name: string; force: boolean; ifMatch?: string | undefined }, context: WriteContext,
): Promise<Record<never, never>> {
  const { database, write } = parts;
  const seen = expectedCluster(await findClusterNamed(database, owner.id, name, context.deadline), ifMatch, owner.name);
  if (!force) await refuseInUse(parts, seen, context);
  await write(context, [], async (work) => {
    const { id, uid } = expectedCluster(await lockCluster(work, seen), ifMatch, owner.name);
    await deleteClusterRow(work, id);
    const details = { name, uid, force };
    work.audit({ action: 'cluster.remove', object: `cluster:${id}`, subjectIds: [owner.id], details });
  });
  return {};
}

/** @throws Fault CONFLICT for a cluster of an active contract, and for the hub of a client organization */
async function refuseInUse({ contracts, database }: Parts, { ownerId, uid }: ClusterRow, context: WriteContext) {
  const { contractIds } = await contracts.listActiveContractsOfCluster({ ownerId, uid }, context);
  if (contractIds.length > 0) {
    const bound = `the cluster is bound to active contracts: ${contractIds.join(', ')}`;
    throw conflict(`${bound}; force removes the cluster anyway`);
  }
  const client = await findClientOnHub(database, { ownerId, uid }, context.deadline);
  if (client === undefined) return;
  throw conflict(`the cluster is the hub of the client organization ${client}; force removes the cluster anyway`);
}
