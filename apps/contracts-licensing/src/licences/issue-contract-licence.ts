import type { LicenseServiceService } from '@platform/proto/contracts/v1/license';
import { type CallContext, Fault, type Handler } from '@platform/rpc';
import { namedOwner } from '../accounts/scope.ts';
import { clusterMissing, contractMissing } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { toLicense } from './convert.ts';
import { type IssuedLicence, issueUnder, newLeafKey, quotaExceeded, refuseState } from './issue.ts';
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

/** The order of refusals is that of open-points 6.2: state, cluster, offline, quota. */
async function issueOffline(
  parts: Parts,
  context: CallContext,
  { contractId, bindingId, ownerId }: { contractId: number; bindingId: number; ownerId: number | undefined },
): Promise<IssuedLicence> {
  const key = await newLeafKey(parts);
  return untilSettled(() => parts.change(context, async (work) => {
    const found = await readBoundOffer(work, contractId, bindingId, ownerId);
    if (found === undefined) throw contractMissing();
    refuseState(found.offer, new Date());
    if (found.clusterUid === null) throw clusterMissing();
    return issueUnder(parts, work, found.offer, found.clusterUid, 'offline', key);
  }));
}

/** How often a contract may change between its reading and its lock before a caller is asked to come again. */
const mostAttempts = 5;

/** Repeats what met a contract that changed meanwhile. @throws Fault QUOTA_EXCEEDED, CONFLICT */
export async function untilSettled(attempt: () => ReturnType<typeof issueUnder>): Promise<IssuedLicence> {
  for (let count = 0; count < mostAttempts; count += 1) {
    const outcome = await attempt();
    if ('issued' in outcome) return outcome.issued;
    if ('overQuota' in outcome) throw quotaExceeded();
  }
  throw new Fault('CONFLICT', 'the contract changes all the time, try again');
}
