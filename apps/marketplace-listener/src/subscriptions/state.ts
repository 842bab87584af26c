/** States of a subscription (spec §3.1). */
export type State =
  'Pending' | 'Bounded' | 'Running' | 'Failed' | 'Deleting' | 'DeletionFailed' | 'Deleted' | 'Revoked';

/** Triggers that change the state of a subscription (open-points 11.3). */
export type Trigger =
  'bind' | 'provisioning failed' | 'usage accepted' | 'revoke' | 'deletion begun' | 'deleted' | 'deletion failed';

interface Move {
  readonly to: State;
  /** Whether the addresses in the setting `marketplace.alertEmails` get a mail about this change of state. */
  readonly alerts?: true;
}

const table: Readonly<Record<Trigger, Partial<Record<State, Move>>>> = {
  'bind': { Pending: { to: 'Bounded' }, Failed: { to: 'Bounded' } },
  'provisioning failed': { Pending: { to: 'Failed', alerts: true }, Bounded: { to: 'Failed', alerts: true } },
  'usage accepted': { Bounded: { to: 'Running' }, Running: { to: 'Running' } },
  'revoke': fromAll(['Bounded', 'Running', 'Failed'], { to: 'Revoked' }),
  'deletion begun': fromAllButDeleted({ to: 'Deleting' }),
  'deleted': fromAllButDeleted({ to: 'Deleted' }),
  'deletion failed': fromAllButDeleted({ to: 'DeletionFailed' }),
};

/** The change of state that a trigger causes (open-points 11.3). Undefined if the trigger is refused or ignored. */
export function move(from: State, trigger: Trigger): Move | undefined {
  return table[trigger][from];
}

/** Whether an admin may revoke a subscription in this state (open-points 8.4). */
export function isRevocable(state: State): boolean {
  return move(state, 'revoke') !== undefined;
}

/** Whether binds are no longer accepted in this state (open-points 11.2, 11.8). */
export function isClosed(state: State): boolean {
  return state === 'Deleting' || state === 'DeletionFailed' || state === 'Deleted' || state === 'Revoked';
}

const deletions: ReadonlyMap<string, Trigger> = new Map([
  ['Deleting', 'deletion begun'], ['Accepted', 'deletion begun'], ['Deleted', 'deleted'], ['Succeeded', 'deleted'],
  ['', 'deleted'], ['Failed', 'deletion failed'],
]);

/** Returns the trigger for a DELETE notification of provider B. Undefined for an unknown `provisioningState`. */
export function deletionBy(provisioningState: string | undefined): Trigger | undefined {
  return deletions.get(provisioningState ?? '');
}

function fromAllButDeleted(to: Move): Partial<Record<State, Move>> {
  return fromAll(['Pending', 'Bounded', 'Running', 'Failed', 'Deleting', 'DeletionFailed', 'Revoked'], to);
}

function fromAll(states: readonly State[], to: Move): Partial<Record<State, Move>> {
  return Object.fromEntries(states.map((state) => [state, to]));
}
