import { Fault } from '@platform/faults';
import type {
  AddContractClustersResponse, ClusterReference, ContractClusterServiceService,
} from '@platform/proto/contracts/v1/binding';
import type { UserContractClusterServiceService } from '@platform/proto/contracts/v1/user_binding';
import type { CallContext, Handler } from '@platform/rpc';
import { namedOwner } from '../accounts/scope.ts';
import { toClusterStatus } from '../contracts/binding-row.ts';
import { findBound, insertBindings } from '../contracts/binding-store.ts';
import { bindingsFrom, type NewBinding } from '../contracts/cluster-references.ts';
import { lockContract } from '../contracts/read-contracts.ts';
import { stateOf } from '../contracts/terms.ts';
import { contractMissing, invalidContract } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { refuseEmpty } from '../values.ts';
import { readAllBindings } from './read-bindings.ts';

/** POST /contracts/{id}/clusters (spec §4.3). */
export function addContractClusters(
  parts: Parts,
): Handler<typeof ContractClusterServiceService.addContractClusters> {
  return async ({ id, clusters }, context) =>
    addBindings(parts, context, { id, ownerId: namedOwner(context), clusters, missing: contractMissing });
}

/** POST /user/contracts/{id}/clusters (spec §4.4): 400 if the account has no such contract (open-points 5.6). */
export function addUserContractClusters(
  parts: Parts,
): Handler<typeof UserContractClusterServiceService.addUserContractClusters> {
  const missing = () => invalidContract('the account has no such contract');
  return async ({ id, clusters }, context) =>
    addBindings(parts, context, { id, ownerId: context.account.id, clusters, missing });
}

interface Addition {
  readonly id: number;
  readonly ownerId: number | undefined;
  readonly clusters: readonly ClusterReference[];
  /** The refusal for a contract that does not exist. */
  readonly missing: () => Fault;
}

/** Binds all of the clusters or none (open-points 5.4). */
async function addBindings(
  { change }: Parts, context: CallContext, { id, ownerId, clusters, missing }: Addition,
): Promise<AddContractClustersResponse> {
  refuseEmpty('clusters', clusters);
  const bindings = bindingsFrom('', clusters);
  return change(context, async (work) => {
    const contract = await lockContract(work, id, ownerId);
    if (contract === undefined) throw missing();
    const state = stateOf(contract, new Date());
    if (state === 'revoked' || state === 'expired') throw invalidContract(`the contract is ${state}`);
    refuseBound(bindings, await findBound(work, id, bindings.map(({ clusterUid }) => clusterUid)));
    const bound = await insertBindings(work, [id], bindings);
    await work.record(
      ...bound.map(({ clusterUid }) => ({ contractId: id, event: `cluster.added ${clusterUid}` as const })),
    );
    return { clusters: (await readAllBindings(work, id)).map(toClusterStatus) };
  });
}

function refuseBound(bindings: readonly NewBinding[], bound: ReadonlySet<string>): void {
  const violations = bindings.flatMap(({ clusterUid }, index) =>
    (bound.has(clusterUid) ? [{ path: `[${index}].cluster`, message: 'is bound to the contract already' }] : []));
  if (violations.length === 0) return;
  throw new Fault('ALREADY_ASSOCIATED', `${violations[0]!.path} ${violations[0]!.message}`, { violations });
}
