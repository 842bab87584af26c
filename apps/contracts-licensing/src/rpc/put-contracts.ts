import { putRows } from '@platform/owners';
import type { Database } from '@platform/postgres';
import type { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import type { Handler } from '@platform/rpc';
import { contractTable, contractToMessage } from '../contract-table.ts';

export function putContracts(database: Database): Handler<typeof ContractOwnerServiceService.putContracts> {
  const put = putRows(database, contractTable);
  return async ({ contracts }, { deadline }) => {
    const given = contracts.map(({ idempotencyKey: key, ownerId, name }) => ({ key, ownerId, name }));
    return { contracts: (await put(given, deadline)).map(contractToMessage) };
  };
}
