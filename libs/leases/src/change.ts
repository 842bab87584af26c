import type { LeaseRules, Moment, SeenSession } from './rules.ts';

/**
 * The next step of a change.
 * `commit`: commit the changed rows, and the keys of the change.
 * `look`: read the sessions and the unpublished keys in one statement.
 * `tell`: publish the keys to all holders.
 * `listen`: wait for acknowledgements.
 * `revoke`: revoke the sessions that did not acknowledge, so that these sessions cannot be renewed.
 * `outwait`: wait until {@link Change.until}.
 * `answer`: the call may return.
 */
export type ChangeStep = 'commit' | 'look' | 'tell' | 'listen' | 'revoke' | 'outwait' | 'answer';

/** The whole state of a change. It is plain data, so that a test can copy it and try all orders of events. */
export interface ChangeState {
  step: ChangeStep;
  /** Number of completed steps of `rules.changing`. */
  begun: number;
  /** Whether the transaction of the call may have changed rows. */
  changed: boolean;
  lookedAt: Moment;
  /** The sessions that have not acknowledged the change, by id. */
  waiting: Map<string, SeenSession>;
  /** End of the wait for revoked sessions, in milliseconds of the monotonic clock of this process. */
  until: number;
}

export interface ChangeOptions {
  readonly rules: LeaseRules;
  readonly lifetimeMs: number;
}

export function newChangeState({ rules }: ChangeOptions): ChangeState {
  return {
    step: rules.changing[0]!, begun: 0, changed: false, lookedAt: { monotonic: 0, wall: 0 }, waiting: new Map(),
    until: 0,
  };
}

/**
 * The state machine of a call that may have changed rows. It decides when the call may return (L4). It does no I/O and
 * reads no clock. {@link startTeller} uses it. A test also uses it, and tries all orders of events.
 */
export class Change {
  readonly state: ChangeState;
  readonly #options: ChangeOptions;

  constructor(options: ChangeOptions, state: ChangeState = newChangeState(options)) {
    this.#options = options;
    this.state = state;
  }

  get step(): ChangeStep {
    return this.state.step;
  }

  /** Ids of the sessions that have not acknowledged the change. */
  get waiting(): readonly string[] {
    return [...this.state.waiting.keys()];
  }

  /** End of the wait for revoked sessions, in milliseconds of the monotonic clock of this process. */
  get until(): number {
    return this.state.until;
  }

  /**
   * Records that the transaction of the call has ended.
   * @param changed whether the transaction may have changed rows
   */
  committed(changed: boolean): void {
    this.state.changed = changed;
    this.#begun();
    if (!changed && this.#options.rules.repeatsAtOnce) this.state.step = 'answer';
  }

  /**
   * Records that the sessions and the unpublished changes were read.
   * @param sessions all sessions, including revoked sessions; ignored if `untold` is 0
   * @param untold number of unpublished changes, of any process
   */
  looked(sessions: readonly SeenSession[], untold: number, now: Moment): void {
    const { state } = this;
    state.lookedAt = now;
    if (untold > 0) {
      for (const session of sessions) if (this.#options.rules.isLive(session)) state.waiting.set(session.id, session);
    }
    this.#begun();
  }

  told(): void {
    this.state.step = 'listen';
  }

  /** Records that a session has acknowledged the change. When all sessions have done so, the call may return. */
  acknowledged(session: string): void {
    const { state } = this;
    if (!state.waiting.delete(session) || state.waiting.size > 0) return;
    if (state.step === 'listen' || state.step === 'revoke' || state.step === 'outwait') state.step = 'answer';
  }

  /** Records that the time for acknowledgements is over. If some are missing, the next step is `revoke`. */
  silence(): void {
    if (this.state.step === 'listen') this.state.step = 'revoke';
  }

  /** Records that the sessions without an acknowledgement are now revoked in the database. */
  revoked(now: Moment): void {
    const { state } = this;
    if (state.step !== 'revoke') return;
    const { rules, lifetimeMs } = this.#options;
    state.until = rules.outwaits(now, state.lookedAt, [...state.waiting.values()], lifetimeMs);
    state.step = 'outwait';
  }

  /** Ends the wait for revoked sessions if {@link until} has passed. */
  waited(now: Moment): void {
    if (this.state.step === 'outwait' && now.monotonic >= this.state.until) this.state.step = 'answer';
  }

  #begun(): void {
    const { state } = this;
    state.begun += 1;
    const { changing } = this.#options.rules;
    state.step = changing[state.begun] ?? (state.waiting.size > 0 ? 'tell' : 'answer');
  }
}
