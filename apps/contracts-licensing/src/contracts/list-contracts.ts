import { type Listed, pageOf } from '@platform/lists';
import type { ContractServiceService, ListContractsResponse } from '@platform/proto/contracts/v1/contract';
import type { UserContractServiceService } from '@platform/proto/contracts/v1/user_contract';
import type { Handler } from '@platform/rpc';
import { listedOwner } from '../accounts/scope.ts';
import { ownedBy } from '../accounts/store.ts';
import type { Parts } from '../parts.ts';
import { uuidParameter } from '../values.ts';
import { type Audience, type ContractRow, toContract } from './contract-row.ts';
import { contractsWhere, readContracts } from './read-contracts.ts';

/** GET /contracts (spec §4.3). */
export function listContracts({ database, config }: Parts): Handler<typeof ContractServiceService.listContracts> {
  return async (request, context) => {
    const page = pageOf(request, config);
    return toList(await readContracts(database, [ownedBy(listedOwner(context))], page, context.deadline), 'admin');
  };
}

/** GET /user/contracts (spec §4.4). */
export function listUserContracts(
  { database, config }: Parts,
): Handler<typeof UserContractServiceService.listUserContracts> {
  return async (request, { account, deadline }) => {
    const conditions = [ownedBy(account.id)];
    return toList(await readContracts(database, conditions, pageOf(request, config), deadline), 'user');
  };
}

/** GET /user/contracts/active-offline-contracts (spec §4.4). */
export function listActiveOfflineContracts(
  { database, config }: Parts,
): Handler<typeof UserContractServiceService.listActiveOfflineContracts> {
  return async (request, { account, deadline }) => {
    const conditions = [ownedBy(account.id), contractsWhere.active, contractsWhere.offline];
    return toList(await readContracts(database, conditions, pageOf(request, config), deadline), 'user');
  };
}

/** GET /user/contracts/active/associated-with/clusters/{clusterID} (spec §4.4). */
export function listContractsOfCluster(
  { database, config }: Parts,
): Handler<typeof UserContractServiceService.listContractsOfCluster> {
  return async (request, { account, deadline }) => {
    const uid = uuidParameter('clusterID', request.clusterId);
    const conditions = [
      ownedBy(account.id), contractsWhere.active, contractsWhere.withCluster(uid),
      ...(request.onlyOffline ? [contractsWhere.offline] : []),
    ];
    const { contracts, ...rest } = toList(
      await readContracts(database, conditions, pageOf(request, config), deadline), 'user',
    );
    const associated = contracts.map((contract) => ({
      ...contract, associatedCluster: contract.clusters.find(({ cluster }) => cluster === uid),
    }));
    return { contracts: associated, ...rest };
  };
}

/** GET /user/contracts/active/not-associated-with/clusters/{clusterID} (spec §4.4). */
export function listOtherContracts(
  { database, config }: Parts,
): Handler<typeof UserContractServiceService.listOtherContracts> {
  return async (request, { account, deadline }) => {
    const uid = uuidParameter('clusterID', request.clusterId);
    const conditions = [ownedBy(account.id), contractsWhere.active, contractsWhere.withoutCluster(uid)];
    return toList(await readContracts(database, conditions, pageOf(request, config), deadline), 'user');
  };
}

function toList({ items, total, next }: Listed<ContractRow>, audience: Audience): ListContractsResponse {
  return { contracts: items.map((row) => toContract(row, audience)), total, next };
}
