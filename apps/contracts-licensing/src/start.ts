import { deleteRow, findOwners, ownerService } from '@platform/owners';
import { openDatabase, postgresPicks } from '@platform/postgres';
import { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import { guardPicks, implement, objectsById, rpcPicks, serveGuarded } from '@platform/rpc';
import { type Config, servicePicks, type Start } from '@platform/service';
import { contractTable } from './contract-table.ts';
import { moveContract } from './rpc/move-contract.ts';
import { putContracts } from './rpc/put-contracts.ts';

/** The settings this service reads. */
export const picks = { ...servicePicks, ...postgresPicks, ...rpcPicks, ...guardPicks } as const;

/** The only place where the parts of the service are put together. */
export const start: Start<Config<typeof picks>> = async (service, config) => {
  const migrations = new URL('../migrations/', import.meta.url);
  const database = await openDatabase(service, config, { schema: 'contracts_licensing', migrations });
  return serveGuarded(service, config, {
    objects: { contract: objectsById((ids, { deadline }) => findOwners(database, contractTable, ids, { deadline })) },
    services: [
      ownerService(database, contractTable),
      implement(ContractOwnerServiceService, {
        putContracts: putContracts(database),
        moveContract: moveContract(database),
        deleteContract: deleteRow(database, contractTable),
      }),
    ],
  });
};
