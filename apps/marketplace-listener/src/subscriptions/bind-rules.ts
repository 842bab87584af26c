import type { Marketplace } from '../marketplaces.ts';
import { isClosed, type State } from './state.ts';

export interface BindSituation {
  readonly marketplace: Marketplace;
  readonly state: State;
  /**
   * The installer that the notification names. `clusterUid` is null if the installer is bound to no cluster.
   * `subscriptionId` is null if the installer has no subscription.
   */
  readonly installer: { readonly clusterUid: string | null; readonly subscriptionId: number | null };
  readonly subscription: { readonly id: number; readonly hasOtherInstaller: boolean };
  /** The cluster that the notification names. */
  readonly clusterUid: string;
  /** Whether the same notification was applied before, and whether it was answered. */
  readonly repeat: 'no' | 'unanswered' | 'answered';
}

/**
 * `bind`: binds the installer. `rebind`: the installer is bound already and stays as it is. All others are refusals
 * (open-points 11.2, 11.8).
 */
export type BindDecision =
  | 'bind' | 'rebind' | 'already bound' | 'other cluster' | 'other subscription' | 'other installer' | 'closed';

export function decideBind(situation: BindSituation): BindDecision {
  const { marketplace, state, installer, subscription, clusterUid, repeat } = situation;
  const isBound = installer.clusterUid !== null;
  if (marketplace === 'ProviderC' && isBound && repeat !== 'unanswered') return 'already bound';
  if (isClosed(state)) return 'closed';
  if (isBound && installer.subscriptionId !== subscription.id) return 'other subscription';
  if (subscription.hasOtherInstaller) return 'other installer';
  if (!isBound) return 'bind';
  if (installer.clusterUid !== clusterUid) return 'other cluster';
  // A repeated notification has no second effect, even if provisioning has failed since then (open-points 11.8).
  return state === 'Failed' && repeat === 'no' ? 'bind' : 'rebind';
}
