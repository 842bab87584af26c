import type { UserContractClusterServiceService } from '@platform/proto/contracts/v1/user_binding';
import { invalidValue, refuseTooMany } from '@platform/values';
import type { Handler } from '@platform/rpc';
import { toClusterStatus } from '../contracts/binding-row.ts';
import { insertBindings } from '../contracts/binding-store.ts';
import { displayNameFrom } from '../contracts/cluster-references.ts';
import { clusterAdded } from '../contracts/events.ts';
import { lockContracts } from '../contracts/read-contracts.ts';
import { stateOf } from '../contracts/terms.ts';
import { invalidContract } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { refuseEmpty, uuidFrom } from '../values.ts';
import { readBindingsOfCluster } from './read-bindings.ts';

const mostContracts = 100;

/**
 * POST /user/contracts/assign-cluster (spec §4.4): binds a cluster to all given contracts or to none. Existing bindings
 * stay (open-points 5.4).
 */
export function assignCluster({ change }: Parts): Handler<typeof UserContractClusterServiceService.assignCluster> {
  return async ({ assignment }, context) => {
    const { clusterId, displayName = '', contractIds } = assignment!;
    const ids = contractIdsFrom(contractIds!.items);
    const binding = {
      clusterUid: uuidFrom('clusterId', clusterId!), displayName: displayNameFrom('displayName', displayName), tags: [],
    };
    return change(context, async (work) => {
      const contracts = new Map((await lockContracts(work, ids, context.account.id)).map((row) => [row.id, row]));
      const now = new Date();
      for (const id of ids) {
        const contract = contracts.get(id);
        if (contract === undefined) throw invalidContract(`the account has no contract ${id}`);
        const state = stateOf(contract, now);
        if (state !== 'active') throw invalidContract(`the contract ${id} is ${state}`);
      }
      await work.record(...(await insertBindings(work, ids, [binding])).map(clusterAdded));
      return { clusters: (await readBindingsOfCluster(work, ids, binding.clusterUid)).map(toClusterStatus) };
    });
  };
}

function contractIdsFrom(ids: readonly number[]): readonly number[] {
  refuseEmpty('contractIds', ids);
  refuseTooMany('contractIds', ids, mostContracts);
  const violations = ids.flatMap((id, index) => {
    const path = `contractIds[${index}]`;
    if (id < 1) return [{ path, message: 'must be at least 1' }];
    return ids.indexOf(id) < index ? [{ path, message: 'is given twice' }] : [];
  });
  if (violations.length > 0) throw invalidValue(violations);
  return ids;
}
