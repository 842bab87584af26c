import type { ContractClusterServiceService } from '@platform/proto/contracts/v1/binding';
import type { Handler } from '@platform/rpc';
import type { RequiredOwner } from '../accounts/scope.ts';
import { renameBinding } from '../contracts/binding-store.ts';
import { lockContract } from '../contracts/read-contracts.ts';
import { clusterMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { nameFrom } from '../values.ts';

/** PATCH …/contracts/{id}/clusters/{ccID}/name, for site admins (spec §4.3) and for users (spec §4.4). */
export function renameCluster(
  { change }: Parts, requiredOwner: RequiredOwner,
): Handler<typeof ContractClusterServiceService.renameContractCluster> {
  return async ({ id, ccId, change: wanted }, context) => {
    const name = nameFrom('clusterName', wanted!.clusterName!, { least: 1, most: 100 });
    return change(context, async (work) => {
      await lockContract(work, id, requiredOwner(context));
      const before = await renameBinding(work, id, ccId, name);
      if (before === undefined) throw clusterMissing();
      if (before.displayName !== name) await work.record({ contractId: id, event: `cluster.renamed ${before.uid}` });
      return {};
    });
  };
}
