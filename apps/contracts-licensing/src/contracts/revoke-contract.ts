import { sql } from '@platform/postgres';
import type { ContractServiceService } from '@platform/proto/contracts/v1/contract';
import type { Handler } from '@platform/rpc';
import { namedOwner } from '../accounts/scope.ts';
import type { Parts } from '../parts.ts';
import { lockContract } from './read-contracts.ts';

/**
 * POST /contracts/{id}/revoke (spec §4.3). A transaction that records licences of the contract also locks the contract.
 * So no licence is issued under the contract after the answer to this call (open-points 6.2).
 */
export function revokeContract({ change }: Parts): Handler<typeof ContractServiceService.revokeContract> {
  return async ({ id }, context) => {
    const ownerId = namedOwner(context);
    return change(context, async (work) => {
      const before = await lockContract(work, id, ownerId);
      if (before.revokedAt === null) {
        await work.execute(sql`update contract set revoked_at = now() where id = ${id}`);
        await work.record({ contractId: id, event: 'contract.revoked' });
      }
      return {};
    });
  };
}
