import type { ContractClusterServiceService } from '@platform/proto/contracts/v1/binding';
import type { Handler } from '@platform/rpc';
import type { RequiredOwner } from '../accounts/scope.ts';
import { deleteBinding } from '../contracts/binding-store.ts';
import { lockContract } from '../contracts/read-contracts.ts';
import { clusterMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';

/** DELETE …/contracts/{id}/clusters/{ccID}, for site admins (spec §4.3) and for users (spec §4.4). */
export function deleteCluster(
  { change }: Parts, requiredOwner: RequiredOwner,
): Handler<typeof ContractClusterServiceService.deleteContractCluster> {
  return ({ id, ccId }, context) => change(context, async (work) => {
    await lockContract(work, id, requiredOwner(context));
    const uid = await deleteBinding(work, id, ccId);
    if (uid === undefined) throw clusterMissing();
    await work.record({ contractId: id, event: `cluster.removed ${uid}` });
    return {};
  });
}
