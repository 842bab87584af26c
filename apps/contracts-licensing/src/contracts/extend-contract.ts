import type { ContractServiceService } from '@platform/proto/contracts/v1/contract';
import type { Handler } from '@platform/rpc';
import { namedOwner } from '../accounts/scope.ts';
import type { Parts } from '../parts.ts';
import { toContract } from './contract-row.ts';
import { lockContract, readContract } from './read-contracts.ts';
import { updateContract } from './store.ts';
import { momentFrom, refuseEarlyEnd } from './terms.ts';

/** POST /contracts/{id}/extend (spec §4.3). The new end may be earlier than the old one (open-points 5.2). */
export function extendContract({ change }: Parts): Handler<typeof ContractServiceService.extendContract> {
  return async ({ id, contract }, context) => {
    const ownerId = namedOwner(context);
    const endsAt = momentFrom('end', contract!.end!);
    return change(context, async (work) => {
      const before = await lockContract(work, id, ownerId);
      refuseEarlyEnd(before.startsAt, endsAt);
      if (endsAt.getTime() !== before.endsAt.getTime()) {
        await updateContract(work, id, { ...before, endsAt });
        await work.record({ contractId: id, event: 'contract.extended' });
      }
      return toContract(await readContract(work, id, ownerId, context.deadline), 'admin');
    });
  };
}
