import { describe, expect, it } from '@jest/globals';
import { decideBind, type BindSituation } from './bind-rules.ts';
import { deletionBy, isClosed, isRevocable, move, type State, type Trigger } from './state.ts';

const states: readonly State[] = [
  'Pending', 'Bounded', 'Running', 'Failed', 'Deleting', 'DeletionFailed', 'Deleted', 'Revoked',
];

/** The table of open-points 11.3, in the order of `states`; `-` means no effect. */
const table: Readonly<Record<Trigger, readonly string[]>> = {
  'bind': ['Bounded', '-', '-', 'Bounded', '-', '-', '-', '-'],
  'provisioning failed': ['Failed, alert', 'Failed, alert', '-', '-', '-', '-', '-', '-'],
  'usage accepted': ['-', 'Running', 'Running', '-', '-', '-', '-', '-'],
  'revoke': ['-', 'Revoked', 'Revoked', 'Revoked', '-', '-', '-', '-'],
  'deletion begun': everywhereBut('Deleting'),
  'deleted': everywhereBut('Deleted'),
  'deletion failed': everywhereBut('DeletionFailed'),
};

function everywhereBut(text: string): string[] {
  return states.map((state) => (state === 'Deleted' ? '-' : text));
}

describe('a subscription (open-points 11.3)', () => {
  it.each(Object.entries(table) as [Trigger, readonly string[]][])('moves by: %s', (trigger, expected) => {
    expect(states.map((state) => {
      const to = move(state, trigger);
      return to === undefined ? '-' : `${to.to}${to.alerts ? ', alert' : ''}`;
    })).toEqual(expected);
  });

  it('can be revoked while Bounded, Running or Failed (8.4)', () => {
    expect(states.filter(isRevocable)).toEqual(['Bounded', 'Running', 'Failed']);
  });

  it('is closed for binds after its end (11.2, 11.8)', () => {
    expect(states.filter(isClosed)).toEqual(['Deleting', 'DeletionFailed', 'Deleted', 'Revoked']);
  });

  it.each([
    ['Deleting', 'deletion begun'], ['Accepted', 'deletion begun'], ['Deleted', 'deleted'], ['Succeeded', 'deleted'],
    [undefined, 'deleted'], ['', 'deleted'], ['Failed', 'deletion failed'], ['deleting', undefined], ['Ready', undefined],
  ])('takes a DELETE with provisioningState %s for: %s', (given, trigger) => {
    expect(deletionBy(given)).toBe(trigger);
  });
});

describe('a bind (open-points 11.2, 11.8)', () => {
  const here = 'c0ffee00-0000-4000-8000-000000000001';
  const there = 'c0ffee00-0000-4000-8000-000000000002';
  const usual: BindSituation = {
    marketplace: 'ProviderA', state: 'Pending', installer: { clusterUid: null, subscriptionId: 1 },
    subscription: { id: 1, hasOtherInstaller: false }, clusterUid: here, repeat: 'no',
  };
  const bound = { clusterUid: here, subscriptionId: 1 };
  const decide = (given: Partial<BindSituation>) => decideBind({ ...usual, ...given });

  it('binds what is not bound, and what has failed', () => {
    expect(decide({})).toBe('bind');
    expect(decide({ state: 'Failed' })).toBe('bind');
    expect(decide({ state: 'Failed', installer: bound })).toBe('bind');
  });

  it.each(['Bounded', 'Running'] as const)('answers again for the same cluster while %s', (state) => {
    expect(decide({ state, installer: bound })).toBe('rebind');
    expect(decide({ state, installer: { ...bound, clusterUid: there } })).toBe('other cluster');
  });

  it('has no second effect when it failed after it was answered', () => {
    expect(decide({ state: 'Failed', installer: bound, repeat: 'answered' })).toBe('rebind');
  });

  it.each(['Deleting', 'DeletionFailed', 'Deleted', 'Revoked'] as const)('is refused while %s', (state) => {
    for (const repeat of ['no', 'unanswered', 'answered'] as const) {
      expect(decide({ state, installer: bound, repeat })).toBe('closed');
      expect(decide({ state, marketplace: 'ProviderB', repeat })).toBe('closed');
    }
  });

  it('of B joins one installer and one application', () => {
    const marketplace = 'ProviderB';
    const free = { clusterUid: null, subscriptionId: null };
    expect(decide({ marketplace, installer: free })).toBe('bind');
    expect(decide({ marketplace, state: 'Bounded', installer: { ...bound, subscriptionId: 2 } })).toBe('other subscription');
    expect(decide({
      marketplace, state: 'Bounded', installer: free, subscription: { id: 1, hasOtherInstaller: true },
    })).toBe('other installer');
  });

  it('of C is done once, also for the same notification, unless it was not answered', () => {
    const marketplace = 'ProviderC';
    expect(decide({ marketplace })).toBe('bind');
    for (const state of ['Bounded', 'Running', 'Failed', 'Revoked'] as const) {
      expect(decide({ marketplace, state, installer: bound })).toBe('already bound');
      expect(decide({ marketplace, state, installer: bound, repeat: 'answered' })).toBe('already bound');
    }
    expect(decide({ marketplace, state: 'Bounded', installer: bound, repeat: 'unanswered' })).toBe('rebind');
  });
});
