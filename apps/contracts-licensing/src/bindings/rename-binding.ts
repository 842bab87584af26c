import type { ClusterName, ContractClusterServiceService } from '@platform/proto/contracts/v1/binding';
import type { UserContractClusterServiceService } from '@platform/proto/contracts/v1/user_binding';
import type { CallContext, Handler } from '@platform/rpc';
import { namedOwner } from '../accounts/scope.ts';
import { renameBinding } from '../contracts/binding-store.ts';
import { lockContract } from '../contracts/read-contracts.ts';
import { clusterMissing, contractMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { nameFrom } from '../values.ts';

/** PATCH /contracts/{id}/clusters/{ccID}/name (spec §4.3). */
export function renameContractCluster(
  parts: Parts,
): Handler<typeof ContractClusterServiceService.renameContractCluster> {
  return (request, context) => rename(parts, context, namedOwner(context), request);
}

/** PATCH /user/contracts/{id}/clusters/{ccID}/name (spec §4.4). */
export function renameUserContractCluster(
  parts: Parts,
): Handler<typeof UserContractClusterServiceService.renameUserContractCluster> {
  return (request, context) => rename(parts, context, context.account.id, request);
}

interface Renaming {
  readonly id: number;
  readonly ccId: number;
  readonly change?: ClusterName | undefined;
}

async function rename(
  { change }: Parts, context: CallContext, ownerId: number | undefined, { id, ccId, change: wanted }: Renaming,
): Promise<object> {
  const name = nameFrom('clusterName', wanted!.clusterName!, { least: 1, most: 100 });
  return change(context, async (work) => {
    if (await lockContract(work, id, ownerId) === undefined) throw contractMissing();
    const before = await renameBinding(work, id, ccId, name);
    if (before === undefined) throw clusterMissing();
    if (before.displayName !== name) await work.record({ contractId: id, event: `cluster.renamed ${before.uid}` });
    return {};
  });
}
