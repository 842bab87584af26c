import { notFound } from '@platform/faults';
import { sql } from '@platform/postgres';
import type { ContractClusterServiceService, ListClusterStatusesResponse } from '@platform/proto/contracts/v1/binding';
import type { AccountContext, CallContext, Handler } from '@platform/rpc';
import { invalidParameter, refuseTooMany } from '@platform/values';
import { toClusterStatus } from '../contracts/binding-row.ts';
import { contractMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { uuidFrom, uuidParameter } from '../values.ts';
import { readClusterStatuses } from './read-bindings.ts';

const mostClusters = 1_000;

/** Returns the id of the account whose contracts are read. @param id `orgOrUserId`, which only site admins can send */
type StatusOwner = (context: AccountContext, id?: number) => number | Promise<number>;

/**
 * Returns the {@link StatusOwner} for site admins. The StatusOwner returns `id`, or the id of the acting account if
 * `id` is 0. The StatusOwner throws Fault NOT_FOUND if no user or organization has this id.
 */
export function ownerById({ owners }: Parts): StatusOwner {
  return async (context, id = 0) => {
    if (id === 0 || id === context.account.id) return context.account.id;
    if (!(await owners.byId([id], context)).has(id)) throw notFound('account not found');
    return id;
  };
}

/** GET …/contracts/active/associated-clusters/{clusterID}/status, for site admins (spec §4.3) and for users (§4.4). */
export function getClusterStatus(
  parts: Parts, statusOwner: StatusOwner,
): Handler<typeof ContractClusterServiceService.getClusterStatus> {
  return async (request, context) => {
    const uid = uuidParameter('clusterID', request.clusterId);
    const contractId = contractParameter(request.contract);
    const ownerId = await statusOwner(context, request.orgOrUserId);
    return (await statuses(parts, context, ownerId, contractId, [uid])).clusters[0]!;
  };
}

/** POST …/contracts/active/associated-clusters/batch-status, for site admins (spec §4.3) and for users (spec §4.4). */
export function listClusterStatuses(
  parts: Parts, statusOwner: StatusOwner,
): Handler<typeof ContractClusterServiceService.listClusterStatuses> {
  return async (request, context) => {
    const uids = uuidsFrom(request.batch!.clusters!.items);
    const contractId = contractParameter(request.contract);
    const ownerId = await statusOwner(context, request.orgOrUserId);
    return statuses(parts, context, ownerId, contractId, uids);
  };
}

async function statuses(
  { database }: Parts, { deadline }: CallContext, ownerId: number, contractId: number | undefined,
  uids: readonly string[],
): Promise<ListClusterStatusesResponse> {
  if (contractId !== undefined) {
    const contract = sql`select id from contract where id = ${contractId} and owner_id = ${ownerId}`;
    if (await database.maybeOne(contract, { deadline }) === undefined) throw contractMissing();
  }
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
