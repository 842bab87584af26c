import { pageOf, type PageRequest } from '@platform/lists';
import type { Fragment } from '@platform/postgres';
import type { ContractServiceService, ListContractsResponse } from '@platform/proto/contracts/v1/contract';
import type { UserContractServiceService } from '@platform/proto/contracts/v1/user_contract';
import type { AccountContext, CallContext, Handler } from '@platform/rpc';
import type { RequiredOwner } from '../accounts/scope.ts';
import { ownedBy } from '../accounts/store.ts';
import type { Parts } from '../parts.ts';
import { uuidParameter } from '../values.ts';
import { type Audience, toContract } from './contract-row.ts';
import { contractsWhere, readContracts } from './read-contracts.ts';

/** GET /contracts, for site admins (spec §4.3), and GET /user/contracts (spec §4.4). */
export function listContracts(
  parts: Parts, requiredOwner: RequiredOwner, audience: Audience,
): Handler<typeof ContractServiceService.listContracts> {
  return (request, context) => list(parts, audience, [ownedBy(requiredOwner(context))], request, context);
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

function listActive(parts: Parts, conditions: readonly Fragment[], request: PageRequest, context: AccountContext) {
  return list(parts, 'user', [ownedBy(context.account.id), contractsWhere.active, ...conditions], request, context);
}

async function list(
  { database, config }: Parts, audience: Audience, conditions: readonly Fragment[], request: PageRequest,
  { deadline }: CallContext,
): Promise<ListContractsResponse> {
  const { items, total, next } = await readContracts(database, conditions, pageOf(request, config), deadline);
  return { contracts: items.map((row) => toContract(row, audience)), total, next };
}
