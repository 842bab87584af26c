import { type Listed, pageOf } from '@platform/lists';
import type {
  ContractClusterServiceService, ListImportableClustersResponse,
} from '@platform/proto/contracts/v1/binding';
import type { UserContractClusterServiceService } from '@platform/proto/contracts/v1/user_binding';
import type { Handler } from '@platform/rpc';
import { namedOwner } from '../accounts/scope.ts';
import { contractNotFound } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { type ImportedClusterRow, readImportableClusters, toClusterInfo } from './importable-clusters.ts';

/** GET /contracts/{id}/clusters/imported/non-associated (spec §4.3). */
export function listImportableClusters(
  { database, config }: Parts,
): Handler<typeof ContractClusterServiceService.listImportableClusters> {
  return async (request, context) => {
    const page = pageOf(request, config);
    return toList(await readImportableClusters(database, request.id, namedOwner(context), page, context.deadline));
  };
}

/** GET /user/contracts/{id}/clusters/imported/non-associated (spec §4.4). */
export function listUserImportableClusters(
  { database, config }: Parts,
): Handler<typeof UserContractClusterServiceService.listUserImportableClusters> {
  return async (request, { account, deadline }) =>
    toList(await readImportableClusters(database, request.id, account.id, pageOf(request, config), deadline));
}

function toList(listed: Listed<ImportedClusterRow> | undefined): ListImportableClustersResponse {
  if (listed === undefined) throw contractNotFound();
  const { items, total, next } = listed;
  return { clusters: items.map(toClusterInfo), total, next };
}
