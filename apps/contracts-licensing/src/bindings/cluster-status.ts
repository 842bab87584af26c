import { notFound } from '@platform/faults';
import type { ContractClusterServiceService, ListClusterStatusesResponse } from '@platform/proto/contracts/v1/binding';
import type { UserContractClusterServiceService } from '@platform/proto/contracts/v1/user_binding';
import type { AccountContext, CallContext, Handler } from '@platform/rpc';
import { invalidParameter, refuseTooMany } from '@platform/values';
import { toClusterStatus } from '../contracts/binding-row.ts';
import { contractMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { uuidFrom, uuidParameter } from '../values.ts';
import { hasContract, readClusterStatuses } from './read-bindings.ts';

const mostClusters = 1_000;

/** GET /contracts/active/associated-clusters/{clusterID}/status (spec §4.3). */
export function getClusterStatus(parts: Parts): Handler<typeof ContractClusterServiceService.getClusterStatus> {
  return async (request, context) => {
    const uid = uuidParameter('clusterID', request.clusterId);
    const contractId = contractParameter(request.contract);
    const ownerId = await accountParameter(parts, request.orgOrUserId, context);
    return (await statuses(parts, context, ownerId, contractId, [uid])).clusters[0]!;
  };
}

/** POST /contracts/active/associated-clusters/batch-status (spec §4.3). */
export function listClusterStatuses(parts: Parts): Handler<typeof ContractClusterServiceService.listClusterStatuses> {
  return async (request, context) => {
    const uids = uuidsFrom(request.batch!.clusters!.items);
    const contractId = contractParameter(request.contract);
    const ownerId = await accountParameter(parts, request.orgOrUserId, context);
    return statuses(parts, context, ownerId, contractId, uids);
  };
}

/** GET /user/contracts/active/associated-clusters/{clusterID}/status (spec §4.4). */
export function getUserClusterStatus(
  parts: Parts,
): Handler<typeof UserContractClusterServiceService.getUserClusterStatus> {
  return async (request, context) => {
    const uid = uuidParameter('clusterID', request.clusterId);
    const contractId = contractParameter(request.contract);
    return (await statuses(parts, context, context.account.id, contractId, [uid])).clusters[0]!;
  };
}

/** POST /user/contracts/active/associated-clusters/batch-status (spec §4.4). */
export function listUserClusterStatuses(
  parts: Parts,
): Handler<typeof UserContractClusterServiceService.listUserClusterStatuses> {
  return async (request, context) => {
    const uids = uuidsFrom(request.batch!.clusters!.items);
    return statuses(parts, context, context.account.id, contractParameter(request.contract), uids);
  };
}

async function statuses(
  { database }: Parts, { deadline }: CallContext, ownerId: number, contractId: number | undefined,
  uids: readonly string[],
): Promise<ListClusterStatusesResponse> {
  if (contractId !== undefined && !await hasContract(database, ownerId, contractId, deadline)) throw contractMissing();
  const rows = await readClusterStatuses(database, ownerId, contractId, uids, deadline);
  return { clusters: rows.map(toClusterStatus) };
}

function uuidsFrom(clusters: readonly string[]): string[] {
  refuseTooMany('clusters', clusters, mostClusters);
  return clusters.map((text, index) => uuidFrom(`clusters[${index}]`, text));
}

function contractParameter(contract: number | undefined): number | undefined {
  if (contract === undefined || contract >= 1) return contract;
  throw invalidParameter('contract', 'must be the id of a contract');
}

/** `orgOrUserId`, otherwise the acting account. @throws Fault NOT_FOUND */
async function accountParameter(
  { owners }: Parts, orgOrUserId: number | undefined, context: AccountContext,
): Promise<number> {
  const { id } = context.account;
  if (orgOrUserId === undefined || orgOrUserId === 0 || orgOrUserId === id) return id;
  if (!(await owners.byId([orgOrUserId], context)).has(orgOrUserId)) throw notFound('account not found');
  return orgOrUserId;
}
