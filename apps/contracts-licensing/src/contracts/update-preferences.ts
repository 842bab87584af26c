import { isDeepStrictEqual } from 'node:util';
import type { UserContractServiceService } from '@platform/proto/contracts/v1/user_contract';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { toContract } from './contract-row.ts';
import { mergeEmails, noEmails } from './emails.ts';
import { lockContract, readContract } from './read-contracts.ts';
import { refuseChanged } from './refuse-changed.ts';
import { updateContract } from './store.ts';

/** PUT /user/contracts/{id}/preferences (spec §4.4). Allowed in every state of the contract (open-points 5.7). */
export function updatePreferences(parts: Parts): Handler<typeof UserContractServiceService.updatePreferences> {
  return async ({ id, preferences, ifMatch }, context) => {
    const { account, deadline } = context;
    const { autoAssignCluster, usageAlertClient } = preferences!;
    mergeEmails(noEmails, { usageAlertClient });
    return parts.change(context, async (work) => {
      const before = await lockContract(work, id, account.id);
      await refuseChanged(parts, work, before, { ifMatch, audience: 'user', deadline });
      const after = {
        ...before,
        autoAssignCluster: autoAssignCluster ?? before.autoAssignCluster,
        emails: mergeEmails(before.emails, { usageAlertClient }),
      };
      if (!isDeepStrictEqual(after, before)) {
        await updateContract(work, id, after);
        await work.record({ contractId: id, event: 'contract.preferences_updated' });
      }
      return toContract(await readContract(work, id, account.id, deadline), 'user');
    });
  };
}
