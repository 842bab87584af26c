import type { ReasonName } from '@platform/rpc';
import { type ContractState, stateOf } from '../contracts/contract-state.ts';
import type { Offer } from './offers.ts';

/** The contract that gives the licence, or why none does. */
export type Choice = { readonly offer: Offer } | { readonly refusal: OfferRefusal };

/** Why a contract gives no licence. */
export type OfferRefusal = Extract<
  ReasonName, 'CONTRACT_REVOKED' | 'CONTRACT_EXPIRED' | 'CONTRACT_NOT_STARTED' | 'NO_ACTIVE_CONTRACT'
>;

/**
 * Chooses the contract of an online licence (open-points 6.2): active, with the cluster and a feature asked for; the
 * most of these first, then the latest end, then the lowest id. Where the cluster is bound to none, one that binds
 * clusters itself, if the account knows the cluster.
 */
export function chooseOffer(
  offers: readonly Offer[], features: readonly string[], { clusterKnown, now }: { clusterKnown: boolean; now: Date },
): Choice {
  const fitting = offers.filter((offer) => features.length === 0 || common(offer, features) > 0).sort(better(features));
  const bound = fitting.filter((offer) => offer.bound);
  const active = bound.find((offer) => stateOf(offer, now) === 'active')
    ?? fitting.find((offer) => clusterKnown && offer.autoAssign && stateOf(offer, now) === 'active');
  if (active !== undefined) return { offer: active };
  const [best] = bound;
  return { refusal: best === undefined ? 'NO_ACTIVE_CONTRACT' : refusalOf(stateOf(best, now))! };
}

/** Why a contract in this state gives no licence; undefined for an active one. */
export function refusalOf(state: ContractState): OfferRefusal | undefined {
  return refusals[state];
}

const refusals: Readonly<Record<ContractState, OfferRefusal | undefined>> = {
  active: undefined,
  revoked: 'CONTRACT_REVOKED',
  expired: 'CONTRACT_EXPIRED',
  'not started': 'CONTRACT_NOT_STARTED',
};

function better(features: readonly string[]) {
  return (one: Offer, other: Offer): number =>
    common(other, features) - common(one, features)
    || other.endsAt.getTime() - one.endsAt.getTime()
    || one.contractId - other.contractId;
}

function common(offer: Offer, features: readonly string[]): number {
  return features.filter((feature) => offer.features.includes(feature)).length;
}
