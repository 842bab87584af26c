import type { ContractServiceService } from '@platform/proto/contracts/v1/contract';
import type { Handler } from '@platform/rpc';
import type { RequiredOwner } from '../accounts/scope.ts';
import type { Parts } from '../parts.ts';
import { type Audience, toContract } from './contract-row.ts';
import { readContract } from './read-contracts.ts';

/** GET …/contracts/{id}, for site admins (spec §4.3) and for users (spec §4.4). */
export function getContract(
  { database }: Parts, requiredOwner: RequiredOwner, audience: Audience,
): Handler<typeof ContractServiceService.getContract> {
  return async ({ id }, context) => {
    return toContract(await readContract(database, id, requiredOwner(context), context.deadline), audience);
  };
}
