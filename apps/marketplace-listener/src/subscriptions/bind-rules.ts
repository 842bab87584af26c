import type { Marketplace } from '../marketplaces.ts';
import { isClosed, type State } from './state.ts';

/** The locked rows that decide a bind. */
export interface BindSituation {
  readonly marketplace: Marketplace;
  readonly state: State;
  /** The installer that the notification names. */
  readonly installer: {
    /** The cluster that the installer is bound to; null if none. */
    readonly clusterUid: string | null;
    /** The subscription that the installer belongs to; null if none. */
    readonly subscriptionId: number | null;
  };
  readonly subscription: {
    readonly id: number;
    /** Whether the subscription belongs to another installer. */
    readonly hasOtherInstaller: boolean;
  };
  /** The cluster that the notification names. */
  readonly clusterUid: string;
  /** Whether the same notification was applied before, and whether it was answered. */
  readonly repeat: 'no' | 'unanswered' | 'answered';
}

/**
 * The outcome of a bind (open-points 11.2, 11.8): `bind` changes the subscription, `rebind` answers with the existing
 * link. All other outcomes are refusals.
 */
export type BindDecision =
  | 'bind' | 'rebind' | 'already bound' | 'other cluster' | 'other subscription' | 'other installer' | 'closed';

export function decideBind(
  { marketplace, state, installer, subscription, clusterUid, repeat }: BindSituation,
): BindDecision {
  const isBound = installer.clusterUid !== null;
  if (marketplace === 'ProviderC' && isBound && repeat !== 'unanswered') return 'already bound';
  if (isClosed(state)) return 'closed';
  if (isBound && installer.subscriptionId !== subscription.id) return 'other subscription';
  if (subscription.hasOtherInstaller) return 'other installer';
  if (!isBound) return 'bind';
  if (installer.clusterUid !== clusterUid) return 'other cluster';
  // A bind that was answered before has no second effect, even if provisioning has failed since (11.8).
  return state === 'Failed' && repeat === 'no' ? 'bind' : 'rebind';
}
