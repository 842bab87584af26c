import type { ReasonName } from '@platform/faults';
import { type ContractState, stateOf } from '../contracts/terms.ts';
import type { Offer } from './offers.ts';

/** Reasons to refuse a licence under contracts. */
export type OfferRefusal = Extract<
  ReasonName, 'CONTRACT_REVOKED' | 'CONTRACT_EXPIRED' | 'CONTRACT_NOT_STARTED' | 'NO_ACTIVE_CONTRACT'
>;

/**
 * Chooses the contract of an online licence (open-points 6.2). It must be active, have the cluster, and have a
 * requested feature if any are requested. Prefers the most requested features, then the latest end, then the lowest id.
 * If no contract fits and the account knows the cluster, chooses in the same way from contracts with `autoAssign`.
 * Otherwise, returns the reason for a refusal.
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

/** The reason why a contract in this state gives no licence; undefined for an active contract. */
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
