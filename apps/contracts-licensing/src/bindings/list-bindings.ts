import { pageOf } from '@platform/lists';
import type { ContractClusterServiceService } from '@platform/proto/contracts/v1/binding';
import type { Handler } from '@platform/rpc';
import type { RequiredOwner } from '../accounts/scope.ts';
import { toClusterStatus } from '../contracts/binding-row.ts';
import { contractMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { readBindings } from './read-bindings.ts';

/** GET …/contracts/{id}/clusters, for site admins (spec §4.3) and for users (spec §4.4). */
export function listClusters(
  { database, config }: Parts, requiredOwner: RequiredOwner,
): Handler<typeof ContractClusterServiceService.listContractClusters> {
  return async (request, context) => {
    const page = pageOf(request, config);
    const listed = await readBindings(database, request.id, requiredOwner(context), page, context.deadline);
    if (listed === undefined) throw contractMissing();
    const { items, total, next } = listed;
    return { clusters: items.map(toClusterStatus), total, next };
  };
}
