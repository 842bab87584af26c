import type { Queryable } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { validationFailed } from '@platform/values';
import { stateOf } from '../contracts/terms.ts';
import { invalidContract } from '../faults.ts';
import { latestFirst } from '../licences/choose-offer.ts';
import { refuseOnlineOnly } from '../licences/issue.ts';
import { type BoundOffer, type Candidate, readBoundOffers, type Selection } from '../licences/offers.ts';

/** Maximum number of licences of an installer. Each takes CPU time, and all must fit into a Kubernetes secret. */
const mostLicences = 200;

/**
 * Selects the licences of an offline installer (open-points 6.4). Uses the selected contracts. If no contract is
 * selected, uses all active contracts that have the selected cluster and allow offline licences. Each contract gives a
 * licence for the selected cluster, or, if no cluster is selected, for each of its clusters. If several contracts of
 * one plan have the same cluster, only the contract with the latest end is used.
 * @throws Fault INVALID_CONTRACT when a selected contract is not an active contract of the account or has no matching
 *   cluster, or when no contract gives a licence; OFFLINE_NOT_ALLOWED when a selected contract does not allow offline
 *   licences; VALIDATION_FAILED for too many licences
 */
export async function selectLicences(
  queryable: Queryable, selection: Selection, deadline: Deadline,
): Promise<readonly Candidate[]> {
  const { clusterUid, contractIds } = selection;
  const offers = await readBoundOffers(queryable, selection, { most: mostLicences + 1, deadline });
  if (offers.length > mostLicences) {
    const message = `must not select more than ${mostLicences} licences`;
    throw validationFailed([{ path: contractIds.length > 0 ? 'contractIDs' : 'clusterID', message }]);
  }
  const now = new Date();
  if (contractIds.length > 0) {
    for (const id of contractIds) refuseUnfit(id, offers.filter(({ contractId }) => contractId === id), now);
    return onePerPlan(offers);
  }
  const active = offers.filter((offer) => offer.allowOffline && stateOf(offer, now) === 'active');
  if (active.length === 0) throw invalidContract(`no active contract allows offline licences for the cluster ${clusterUid}`);
  return onePerPlan(active);
}

/** @param offers the offers of the contract; empty if the account has no such contract */
function refuseUnfit(id: number, offers: readonly BoundOffer[], now: Date): void {
  const [first] = offers;
  if (first === undefined) throw invalidContract(`the account has no contract ${id}`);
  const state = stateOf(first, now);
  if (state !== 'active') throw invalidContract(`the contract ${id} is ${state}`);
  refuseOnlineOnly(first);
  if (first.clusterUid !== null) return;
  throw invalidContract(`the contract ${id} has no clusters, or does not have the given cluster`);
}

/** If several contracts of one plan have the same cluster, keeps the contract with the latest end (open-points 6.5). */
function onePerPlan(offers: readonly BoundOffer[]): Candidate[] {
  const best = new Map<string, Candidate>();
  for (const offer of offers.toSorted(latestFirst)) {
    const { clusterUid } = offer;
    const key = `${offer.product} ${clusterUid}`;
    if (clusterUid !== null && !best.has(key)) best.set(key, { offer, clusterUid });
  }
  return [...best.values()].sort((one, other) => one.offer.contractId - other.offer.contractId);
}
