import type { Queryable } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { validationFailed } from '@platform/values';
import { stateOf } from '../contracts/terms.ts';
import { invalidContract } from '../faults.ts';
import { type Candidate, refuseOnlineOnly } from '../licences/issue.ts';
import { type BoundOffer, readBoundOffers } from '../licences/offers.ts';

/** The licences that an installer contains; at least one of the last two is given. */
export interface Selection {
  readonly ownerId: number;
  /** UUID in lower case. */
  readonly clusterUid: string | undefined;
  /** Without duplicates; empty when the request names none. */
  readonly contractIds: readonly number[];
}

/** Each licence takes milliseconds of CPU to sign, and the installer must fit into a secret of Kubernetes. */
const mostLicences = 200;

/**
 * Licences of an offline installer (open-points 6.4): for the cluster under the named contracts; for the cluster under
 * every active contract that allows it; or for all clusters of the named contracts.
 * @throws Fault INVALID_CONTRACT when a named contract is not an active one of the account or has no such cluster, or
 *   when nothing is selected; OFFLINE_NOT_ALLOWED; VALIDATION_FAILED for too many
 */
export async function selectLicences(
  queryable: Queryable, selection: Selection, deadline: Deadline,
): Promise<readonly Candidate[]> {
  const { clusterUid, contractIds } = selection;
  const offers = await readBoundOffers(queryable, selection, { most: mostLicences + 1, deadline });
  if (offers.length > mostLicences) {
    const message = `select more than ${mostLicences} licences`;
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

/** @param offers of the contract, one per cluster */
function refuseUnfit(id: number, offers: readonly BoundOffer[], now: Date): void {
  const [first] = offers;
  if (first === undefined) throw invalidContract(`the account has no contract ${id}`);
  const state = stateOf(first, now);
  if (state !== 'active') throw invalidContract(`the contract ${id} is ${state}`);
  refuseOnlineOnly(first);
  if (first.clusterUid === null) throw invalidContract(`the contract ${id} has no such cluster`);
}

/**
 * Of contracts of one plan with the same cluster, keeps the one with the latest end, then the lowest id (open-points
 * 6.5).
 */
function onePerPlan(offers: readonly BoundOffer[]): Candidate[] {
  const best = new Map<string, Candidate>();
  const latestFirst = offers.toSorted((one, other) =>
    other.endsAt.getTime() - one.endsAt.getTime() || one.contractId - other.contractId);
  for (const offer of latestFirst) {
    const { clusterUid, product } = offer;
    const key = `${product} ${clusterUid}`;
    if (clusterUid !== null && !best.has(key)) best.set(key, { offer, clusterUid });
  }
  return [...best.values()].sort((one, other) => one.offer.contractId - other.offer.contractId);
}
