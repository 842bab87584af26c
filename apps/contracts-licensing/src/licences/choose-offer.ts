import type { ReasonName } from '@platform/faults';
import { type ContractState, stateOf } from '../contracts/terms.ts';
import type { Offer } from './offers.ts';

/** Reasons why no contract gives a licence. */
export type OfferRefusal = Extract<
  ReasonName, 'CONTRACT_REVOKED' | 'CONTRACT_EXPIRED' | 'CONTRACT_NOT_STARTED' | 'NO_ACTIVE_CONTRACT'
>;

/**
 * Chooses the contract of an online licence (open-points 6.2). The contract must be active and have the cluster. If
 * features are requested, the contract must have at least one of them. Prefers the contract with the most requested
 * features, then the latest end, then the lowest id. If no contract fits and `clusterKnown` is set, chooses in the
 * same way among contracts with `autoAssign`, even if they do not have the cluster. If no contract is chosen, returns
 * the reason.
 * @param clusterKnown whether the owner has imported the cluster, or has made a licence proxy installer for it
 */
export function chooseOffer(
  offers: readonly Offer[], features: readonly string[], { clusterKnown, now }: { clusterKnown: boolean; now: Date },
): { readonly offer: Offer } | { readonly refusal: OfferRefusal } {
  const asked = new Set(features);
  const fitting = offers
    .map((offer) => ({ offer, common: offer.features.filter((feature) => asked.has(feature)).length }))
    .filter(({ common }) => asked.size === 0 || common > 0)
    .sort((one, other) => other.common - one.common || latestFirst(one.offer, other.offer))
    .map(({ offer }) => offer);
  const bound = fitting.filter((offer) => offer.bound);
  const active = bound.find((offer) => stateOf(offer, now) === 'active')
    ?? fitting.find((offer) => clusterKnown && offer.autoAssign && stateOf(offer, now) === 'active');
  if (active !== undefined) return { offer: active };
  const [best] = bound;
  return { refusal: best === undefined ? 'NO_ACTIVE_CONTRACT' : refusals[stateOf(best, now)]! };
}

/** For each state of a contract, the reason why the contract gives no licence. Undefined for an active contract. */
export const refusals: Readonly<Record<ContractState, OfferRefusal | undefined>> = {
  active: undefined,
  revoked: 'CONTRACT_REVOKED',
  expired: 'CONTRACT_EXPIRED',
  'not started': 'CONTRACT_NOT_STARTED',
};

/** Compares offers: the latest end first, then the lowest id. */
export function latestFirst(one: Offer, other: Offer): number {
  return other.endsAt.getTime() - one.endsAt.getTime() || one.contractId - other.contractId;
}
