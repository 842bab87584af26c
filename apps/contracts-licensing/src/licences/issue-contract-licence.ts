import type { LicenseServiceService } from '@platform/proto/contracts/v1/license';
import type { Handler } from '@platform/rpc';
import type { RequiredOwner } from '../accounts/scope.ts';
import { clusterMissing, contractMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { issueUnder, refuseState, toLicense, untilSettled } from './issue.ts';
import { readBoundOffer } from './offers.ts';

/**
 * POST …/contracts/{id}/clusters/{ccID}/issue-license, for site admins (spec §4.3) and for users (spec §4.4). The
 * checks are in the order of open-points 6.2: state, cluster, offline, quota.
 */
export function issueOfflineLicense(
  parts: Parts, requiredOwner: RequiredOwner,
): Handler<typeof LicenseServiceService.issueContractLicense> {
  return async ({ id, ccId }, context) => {
    const options = { ownerId: requiredOwner(context), deadline: context.deadline };
    const [licence] = await untilSettled(async () => {
      const offer = await readBoundOffer(parts.database, id, ccId, options);
      if (offer === undefined) throw contractMissing();
      refuseState(offer, new Date());
      if (offer.clusterUid === null) throw clusterMissing();
      return issueUnder(parts, context, [{ offer, clusterUid: offer.clusterUid }], { kind: 'offline' });
    });
    return toLicense(licence!);
  };
}
