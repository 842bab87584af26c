import { type Listed, pageOf, type PageRequest } from '@platform/lists';
import type { Fragment } from '@platform/postgres';
import type { ContractServiceService, ListContractsResponse } from '@platform/proto/contracts/v1/contract';
import type { UserContractServiceService } from '@platform/proto/contracts/v1/user_contract';
import type { AccountContext, Handler } from '@platform/rpc';
import type { RequiredOwner } from '../accounts/scope.ts';
import { ownedBy } from '../accounts/store.ts';
import type { Parts } from '../parts.ts';
import { uuidParameter } from '../values.ts';
import { type Audience, type ContractRow, toContract } from './contract-row.ts';
import { contractsWhere, readAllContracts, readContracts } from './read-contracts.ts';

/** GET /contracts, for site admins (spec §4.3), and GET /user/contracts (spec §4.4). */
export function listContracts(
  parts: Parts, requiredOwner: RequiredOwner, audience: Audience,
): Handler<typeof ContractServiceService.listContracts> {
  return async (request, context) => {
    const page = pageOf(request, parts.config);
    const listed = await readAllContracts(parts.database, requiredOwner(context), page, context.deadline);
    return toResponse(listed, audience);
  };
}

/** GET /user/contracts/active-offline-contracts (spec §4.4). */
export function listActiveOfflineContracts(
  parts: Parts,
): Handler<typeof UserContractServiceService.listActiveOfflineContracts> {
  return (request, context) => listActive(parts, [contractsWhere.offline], request, context);
}

/** GET /user/contracts/active/associated-with/clusters/{clusterID} (spec §4.4). */
export function listContractsOfCluster(
  parts: Parts,
): Handler<typeof UserContractServiceService.listContractsOfCluster> {
  return async (request, context) => {
    const uid = uuidParameter('clusterID', request.clusterId);
    const conditions = [contractsWhere.withCluster(uid), ...(request.onlyOffline ? [contractsWhere.offline] : [])];
    const { contracts, ...rest } = await listActive(parts, conditions, request, context);
    const associated = contracts.map((contract) => ({
      ...contract, associatedCluster: contract.clusters.find(({ cluster }) => cluster === uid),
    }));
    return { contracts: associated, ...rest };
  };
}

/** GET /user/contracts/active/not-associated-with/clusters/{clusterID} (spec §4.4). */
export function listOtherContracts(parts: Parts): Handler<typeof UserContractServiceService.listOtherContracts> {
  return async (request, context) => {
    const uid = uuidParameter('clusterID', request.clusterId);
    return listActive(parts, [contractsWhere.withoutCluster(uid)], request, context);
  };
}

async function listActive(
  { database, config }: Parts, others: readonly Fragment[], request: PageRequest, { account, deadline }: AccountContext,
): Promise<ListContractsResponse> {
  const conditions = [ownedBy(account.id), contractsWhere.active, ...others];
  return toResponse(await readContracts(database, conditions, pageOf(request, config), deadline), 'user');
}

function toResponse({ items, total, next }: Listed<ContractRow>, audience: Audience): ListContractsResponse {
  return { contracts: items.map((row) => toContract(row, audience)), total, next };
}
