import type { LicenseServiceService } from '@platform/proto/contracts/v1/license';
import type { CallContext, Handler } from '@platform/rpc';
import { namedOwner } from '../accounts/scope.ts';
import { clusterMissing, contractMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { toLicense } from './convert.ts';
import { type IssuedLicence, issueUnder, refuseState, untilSettled } from './issue.ts';
import { readBoundOffer } from './offers.ts';

/** POST /contracts/{id}/clusters/{ccID}/issue-license (spec §4.3). */
export function issueContractLicense(parts: Parts): Handler<typeof LicenseServiceService.issueContractLicense> {
  return async ({ id, ccId }, context) =>
    toLicense(await issueOffline(parts, context, { contractId: id, bindingId: ccId, ownerId: namedOwner(context) }));
}

/** POST /user/contracts/{id}/clusters/{ccID}/issue-license (spec §4.4). */
export function issueUserContractLicense(
  parts: Parts,
): Handler<typeof LicenseServiceService.issueUserContractLicense> {
  return async ({ id, ccId }, context) =>
    toLicense(await issueOffline(parts, context, { contractId: id, bindingId: ccId, ownerId: context.account.id }));
}

/** Refusals come in the order of open-points 6.2: state, cluster, offline, quota. */
async function issueOffline(
  parts: Parts,
  context: CallContext,
  { contractId, bindingId, ownerId }: { contractId: number; bindingId: number; ownerId: number | undefined },
): Promise<IssuedLicence> {
  const [licence] = await untilSettled(async () => {
    const offer = await readBoundOffer(parts.database, contractId, bindingId, { ownerId, deadline: context.deadline });
    if (offer === undefined) throw contractMissing();
    refuseState(offer, new Date());
    if (offer.clusterUid === null) throw clusterMissing();
    return issueUnder(parts, context, [{ offer, clusterUid: offer.clusterUid }], { kind: 'offline' });
  });
  return licence!;
}
