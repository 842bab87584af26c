import type { ContractClusterServiceService } from '@platform/proto/contracts/v1/binding';
import type { UserContractClusterServiceService } from '@platform/proto/contracts/v1/user_binding';
import type { CallContext, Handler } from '@platform/rpc';
import { namedOwner } from '../accounts/scope.ts';
import { deleteBinding } from '../contracts/binding-store.ts';
import { lockContract } from '../contracts/read-contracts.ts';
import { clusterMissing, contractMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';

/** DELETE /contracts/{id}/clusters/{ccID} (spec §4.3). */
export function deleteContractCluster(
  parts: Parts,
): Handler<typeof ContractClusterServiceService.deleteContractCluster> {
  return (request, context) => remove(parts, context, namedOwner(context), request);
}

/** DELETE /user/contracts/{id}/clusters/{ccID} (spec §4.4). */
export function deleteUserContractCluster(
  parts: Parts,
): Handler<typeof UserContractClusterServiceService.deleteUserContractCluster> {
  return (request, context) => remove(parts, context, context.account.id, request);
}

async function remove(
  { change }: Parts, context: CallContext, ownerId: number | undefined, { id, ccId }: { id: number; ccId: number },
): Promise<object> {
  return change(context, async (work) => {
    if (await lockContract(work, id, ownerId) === undefined) throw contractMissing();
    const uid = await deleteBinding(work, id, ccId);
    if (uid === undefined) throw clusterMissing();
    await work.record({ contractId: id, event: `cluster.removed ${uid}` });
    return {};
  });
}
