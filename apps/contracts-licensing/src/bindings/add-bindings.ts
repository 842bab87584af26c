import { Fault } from '@platform/faults';
import type { ContractClusterServiceService } from '@platform/proto/contracts/v1/binding';
import type { Handler } from '@platform/rpc';
import type { RequiredOwner } from '../accounts/scope.ts';
import { toClusterStatus } from '../contracts/binding-row.ts';
import { findBound, insertBindings } from '../contracts/binding-store.ts';
import { bindingsFrom, type NewBinding } from '../contracts/cluster-references.ts';
import { clusterAdded } from '../contracts/events.ts';
import { lockContract } from '../contracts/read-contracts.ts';
import { stateOf } from '../contracts/terms.ts';
import { invalidContract } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { refuseEmpty } from '../values.ts';
import { readAllBindings } from './read-bindings.ts';

/**
 * POST …/contracts/{id}/clusters, for site admins (spec §4.3) and for users (spec §4.4). Binds all given clusters or
 * none (open-points 5.4).
 * @param missing returns the fault for a contract that does not exist or has another owner (open-points 5.6)
 */
export function addClusters(
  { change }: Parts, requiredOwner: RequiredOwner, missing: () => Fault,
): Handler<typeof ContractClusterServiceService.addContractClusters> {
  return async ({ id, clusters }, context) => {
    refuseEmpty('clusters', clusters);
    const bindings = bindingsFrom('', clusters);
    return change(context, async (work) => {
      const state = stateOf(await lockContract(work, id, requiredOwner(context), missing), new Date());
      if (state === 'revoked' || state === 'expired') throw invalidContract(`the contract is ${state}`);
      refuseBound(bindings, await findBound(work, id, bindings.map(({ clusterUid }) => clusterUid)));
      await work.record(...(await insertBindings(work, [id], bindings)).map(clusterAdded));
      return { clusters: (await readAllBindings(work, id)).map(toClusterStatus) };
    });
  };
}

function refuseBound(bindings: readonly NewBinding[], bound: ReadonlySet<string>): void {
  const violations = bindings.flatMap(({ clusterUid }, index) =>
    (bound.has(clusterUid) ? [{ path: `[${index}].cluster`, message: 'is bound to the contract already' }] : []));
  if (violations.length === 0) return;
  throw new Fault('ALREADY_ASSOCIATED', `${violations[0]!.path} ${violations[0]!.message}`, { violations });
}
