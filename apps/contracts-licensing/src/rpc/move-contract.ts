import { moveRow } from '@platform/owners';
import type { Database } from '@platform/postgres';
import type { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import type { Handler } from '@platform/rpc';
import { contractTable, contractToMessage } from '../contract-table.ts';

export function moveContract(database: Database): Handler<typeof ContractOwnerServiceService.moveContract> {
  const move = moveRow(database, contractTable);
  return async (request, { deadline }) => contractToMessage(await move(request, deadline));
}
