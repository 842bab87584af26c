import { pageOf } from '@platform/lists';
import type { ContractClusterServiceService } from '@platform/proto/contracts/v1/binding';
import type { Handler } from '@platform/rpc';
import type { RequiredOwner } from '../accounts/scope.ts';
import { contractNotFound } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { readImportableClusters, toClusterInfo } from './importable-clusters.ts';

/** GET …/contracts/{id}/clusters/imported/non-associated, for site admins (spec §4.3) and for users (spec §4.4). */
export function listImportable(
  { database, config }: Parts, requiredOwner: RequiredOwner,
): Handler<typeof ContractClusterServiceService.listImportableClusters> {
  return async (request, context) => {
    const page = pageOf(request, config);
    const listed = await readImportableClusters(database, request.id, requiredOwner(context), page, context.deadline);
    if (listed === undefined) throw contractNotFound();
    const { items, total, next } = listed;
    return { clusters: items.map(toClusterInfo), total, next };
  };
}
