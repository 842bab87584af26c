import type { LeaseRules, Moment, SeenSession } from './rules.ts';

/**
 * What a change has to do next. `commit`: commit its rows, with the keys that they change. `look`: read the sessions
 * and the keys that are still to be told, in one statement. `tell`: publish the keys to all holders. `listen`: wait for
 * acknowledgements. `revoke`: mark the rows of the silent sessions, so that they cannot be renewed. `outwait`: wait
 * until {@link Change.until}. `answer`: the call may return.
 */
export type ChangeStep = 'commit' | 'look' | 'tell' | 'listen' | 'revoke' | 'outwait' | 'answer';

/** All that a change knows of its telling. Plain data, so that a search can copy it. */
export interface ChangeState {
  step: ChangeStep;
  /** How many of the first steps are done. */
  begun: number;
  /** Whether the call committed a change of its own. */
  changed: boolean;
  lookedAt: Moment;
  /** Sessions that have to acknowledge or to be waited out. */
  waiting: Map<string, SeenSession>;
  /** The end of the wait for revoked sessions, on the monotonic clock of this process. */
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
 * The machine of a call that may have changed rows: when it may return (L4). It does no I/O and reads no clock;
 * {@link startTeller} drives it, and so does the search over all interleavings.
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

  /** Sessions that it still waits for. */
  get waiting(): readonly string[] {
    return [...this.state.waiting.keys()];
  }

  /** The end of the wait for revoked sessions. */
  get until(): number {
    return this.state.until;
  }

  /** The transaction of the call has ended. @param changed whether it may have changed rows */
  committed(changed: boolean): void {
    this.state.changed = changed;
    this.#begun();
    if (!changed && this.#options.rules.repeatsAtOnce) this.state.step = 'answer';
  }

  /**
   * Sessions and changes were read after the commit.
   * @param sessions all rows, those that were revoked with them
   * @param untold how many changes wait to be told, whoever made them: without any, nothing is to be done
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

  /** A holder has dropped what it was told. Says that nobody is waited for any more where it was the last. */
  acknowledged(session: string): void {
    const { state } = this;
    if (!state.waiting.delete(session) || state.waiting.size > 0) return;
    if (state.step === 'listen' || state.step === 'revoke' || state.step === 'outwait') state.step = 'answer';
  }

  /** Some sessions have been silent for too long. */
  silence(): void {
    if (this.state.step === 'listen') this.state.step = 'revoke';
  }

  /** The statement that revoked the silent sessions has returned. */
  revoked(now: Moment): void {
    const { state } = this;
    if (state.step !== 'revoke') return;
    const { rules, lifetimeMs } = this.#options;
    state.until = rules.outwaits(now, state.lookedAt, [...state.waiting.values()], lifetimeMs);
    state.step = 'outwait';
  }

  /** Some time of the wait for revoked sessions has passed. */
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
