import { deleteRow, findOwners, getStatus, ownerMethods } from '@platform/owners';
import { openDatabase } from '@platform/postgres';
import { ContractAdminServiceService } from '@platform/proto/contracts/v1/admin';
import { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import { implement, objectsById, openPeers, openRateLimiter, openRemoteGuard, openRpc } from '@platform/rpc';
import { openService, type RunningService } from '@platform/service';
import type { ContractsLicensingConfig } from './config.ts';
import { moveContract } from './rpc/move-contract.ts';
import { putContracts } from './rpc/put-contracts.ts';
import { contractTable } from './contract-table.ts';

/** Wires the service and starts it. Disposing it finishes the calls accepted, then lets go of everything. */
export function start(config: ContractsLicensingConfig, stopping: AbortSignal): Promise<RunningService> {
  return openService('contracts-licensing', config, stopping, async (service) => {
    const migrations = new URL('../migrations/', import.meta.url);
    const database = await openDatabase(service, config, { schema: 'contracts_licensing', migrations });
    const peers = await openPeers(service, config);
    const guard = openRemoteGuard(service, config, peers, {
      contract: objectsById((ids, { deadline }) => findOwners(database, contractTable, ids, { deadline })),
    });
    const services = [
      implement(ContractAdminServiceService, { getStatus: getStatus(database) }),
      implement(ContractOwnerServiceService, {
        ...ownerMethods(database, contractTable),
        putContracts: putContracts(database),
        moveContract: moveContract(database),
        deleteContract: deleteRow(database, contractTable),
      }),
    ];
    return openRpc(service, config, { ...peers, guard, services, rateLimiter: openRateLimiter(service, config) });
  });
}
