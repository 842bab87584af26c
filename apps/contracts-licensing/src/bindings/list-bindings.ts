import { type Listed, pageOf } from '@platform/lists';
import type { ContractClusterServiceService, ListContractClustersResponse } from '@platform/proto/contracts/v1/binding';
import type { UserContractClusterServiceService } from '@platform/proto/contracts/v1/user_binding';
import type { Handler } from '@platform/rpc';
import { namedOwner } from '../accounts/scope.ts';
import { type BindingRow, toClusterStatus } from '../contracts/binding-row.ts';
import { contractMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { readBindings } from './read-bindings.ts';

/** GET /contracts/{id}/clusters (spec §4.3). */
export function listContractClusters(
  { database, config }: Parts,
): Handler<typeof ContractClusterServiceService.listContractClusters> {
  return async (request, context) => {
    const page = pageOf(request, config);
    return toList(await readBindings(database, request.id, namedOwner(context), page, context.deadline));
  };
}

/** GET /user/contracts/{id}/clusters (spec §4.4). */
export function listUserContractClusters(
  { database, config }: Parts,
): Handler<typeof UserContractClusterServiceService.listUserContractClusters> {
  return async (request, { account, deadline }) =>
    toList(await readBindings(database, request.id, account.id, pageOf(request, config), deadline));
}

function toList(listed: Listed<BindingRow> | undefined): ListContractClustersResponse {
  if (listed === undefined) throw contractMissing();
  const { items, total, next } = listed;
  return { clusters: items.map(toClusterStatus), total, next };
}
