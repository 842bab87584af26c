import type { ContractServiceService } from '@platform/proto/contracts/v1/contract';
import type { UserContractServiceService } from '@platform/proto/contracts/v1/user_contract';
import type { Handler } from '@platform/rpc';
import { namedOwner } from '../accounts/scope.ts';
import { contractMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { toContract } from './contract-row.ts';
import { readContract } from './read-contracts.ts';

/** GET /contracts/{id} (spec §4.3). */
export function getContract({ database }: Parts): Handler<typeof ContractServiceService.getContract> {
  return async ({ id }, context) => {
    const row = await readContract(database, id, namedOwner(context), context.deadline);
    if (row === undefined) throw contractMissing();
    return toContract(row, 'admin');
  };
}

/** GET /user/contracts/{id} (spec §4.4). */
export function getUserContract({ database }: Parts): Handler<typeof UserContractServiceService.getUserContract> {
  return async ({ id }, { account, deadline }) => {
    const row = await readContract(database, id, account.id, deadline);
    if (row === undefined) throw contractMissing();
    return toContract(row, 'user');
  };
}
