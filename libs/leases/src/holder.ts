import type { LeaseRules, Moment } from './rules.ts';

/** An answer that a holder may keep in memory. A published change of one of its `keys` makes the answer invalid. */
export interface Kept<Value> {
  readonly keys: readonly string[];
  readonly value: Value;
  readonly bytes: number;
}

/** A read that was sent to the authority and has no answer yet. */
export interface Read {
  readonly question: string;
  /**
   * The session that was confirmed when the read was sent, if any. The answer is kept only if the session has not
   * ended.
   */
  readonly session: string | undefined;
  /** The published keys that the holder has received since the read was sent. */
  readonly marked: Set<string>;
}

/** The whole state of a holder. It is plain data, so that a test can copy it and try all orders of events. */
export interface HolderState<Value> {
  /** The session that the authority has confirmed. */
  session: string | undefined;
  /** A session that is being registered. No answers are kept under it yet. */
  registering: string | undefined;
  /** The lease ends at the latest when the monotonic clock or the wall clock reaches its value in `deadline`. */
  deadline: Moment;
  /** The last reading of the wall clock. */
  wall: number;
  /** Kept answers by question, the least recently used first. */
  kept: Map<string, Kept<Value>>;
  /** By key, the questions whose kept answers depend on the key. */
  questions: Map<string, Set<string>>;
  /** Total size of all kept answers, in bytes. */
  bytes: number;
  /** Reads in progress, by number. */
  reads: Map<number, Read>;
  nextRead: number;
}

export function newHolderState<Value>(): HolderState<Value> {
  return {
    session: undefined, registering: undefined, deadline: never, wall: Number.NEGATIVE_INFINITY, kept: new Map(),
    questions: new Map(), bytes: 0, reads: new Map(), nextRead: 1,
  };
}

const never: Moment = { monotonic: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY };

/** A key that stands for all keys. A holder that receives it drops every kept answer. */
export const everything = '*';

export interface HolderOptions {
  readonly rules: LeaseRules;
  readonly lifetimeMs: number;
  /** Maximum total size of kept answers, in bytes. The least recently used answers are dropped first. */
  readonly mostBytes: number;
}

/**
 * The state machine of a holder. It contains the kept answers, and decides whether they may still be used. It does no
 * I/O and reads no clock, so that a test can try all orders of events.
 */
export class Holder<Value> {
  readonly state: HolderState<Value>;
  readonly #options: HolderOptions;

  constructor(options: HolderOptions, state: HolderState<Value> = newHolderState()) {
    this.#options = options;
    this.state = state;
  }

  /** Call this before the registration of a new session is sent. Ends the previous session. */
  registers(session: string, now: Moment): void {
    this.end();
    this.state.registering = session;
    this.state.wall = now.wall;
  }

  /** Records that the authority has stored the session. Begins the lease, unless the session has ended meanwhile. */
  registered(session: string, sentAt: Moment, now: Moment): void {
    const { state } = this;
    if (state.registering !== session) return;
    this.observes(now);
    // Checked again, because `observes` ends the session if the wall clock was set back.
    if (state.registering !== session) return;
    state.registering = undefined;
    state.session = session;
    this.#extend(sentAt, now);
  }

  /** Records that the authority has renewed the session. Extends the lease, unless the session has ended meanwhile. */
  renewed(session: string, sentAt: Moment, now: Moment): void {
    if (this.state.session !== session) return;
    this.observes(now);
    if (this.state.session === session) this.#extend(sentAt, now);
  }

  /** Records that a renewal was refused, or a registration failed. Ends this session if it has not ended yet. */
  refused(session: string): void {
    if (this.state.session === session || this.state.registering === session) this.end();
  }

  /** Ends the session and drops all kept answers. The answers of reads in progress will not be kept. */
  end(): void {
    const { state } = this;
    state.session = undefined;
    state.registering = undefined;
    state.deadline = never;
    this.#forget();
  }

  /** Records the reading of the wall clock. Ends the session if this clock was set back since the last reading (L1). */
  observes(now: Moment): void {
    const { state } = this;
    if (now.wall < state.wall) this.end();
    state.wall = now.wall;
  }

  /** Returns whether kept answers may be used (L1). */
  isValid(now: Moment): boolean {
    const { session, wall, deadline } = this.state;
    return session !== undefined && now.wall >= wall && !this.#options.rules.isPast(deadline, now);
  }

  /** Returns the kept answer to a question, or undefined if there is no kept answer that may be used. */
  look(question: string, now: Moment): Value | undefined {
    const { state } = this;
    const isValid = this.isValid(now);
    this.observes(now);
    const found = isValid ? state.kept.get(question) : undefined;
    if (found === undefined) return undefined;
    state.kept.delete(question);
    state.kept.set(question, found);
    return found.value;
  }

  /**
   * Returns the number of a read in progress whose answer a new request may share, or undefined if there is none. The
   * rules of production never permit sharing (L2).
   */
  joinable(question: string): number | undefined {
    if (!this.#options.rules.joins()) return undefined;
    return [...this.state.reads].find(([, read]) => read.question === question)?.[0];
  }

  /** Notes a read before it is sent. Returns the number of the read, for a later call of `answered` or `givesUp`. */
  sends(question: string): number {
    const { state } = this;
    const number = state.nextRead;
    state.nextRead += 1;
    state.reads.set(number, { question, session: state.session, marked: new Set() });
    return number;
  }

  /** Keeps the answer of a read, if the session, the rules (L2) and the size permit. Returns whether it was kept. */
  answered(number: number, { keys, value, bytes }: Kept<Value>): boolean {
    const { state } = this;
    const read = state.reads.get(number);
    state.reads.delete(number);
    if (read === undefined || read.session === undefined || read.session !== state.session) return false;
    const isMarked = read.marked.has(everything) || keys.some((key) => read.marked.has(key));
    if (!this.#options.rules.keeps(isMarked) || bytes > this.#options.mostBytes) return false;
    this.#drop(read.question);
    state.kept.set(read.question, { keys, value, bytes });
    state.bytes += bytes;
    for (const key of keys) {
      const questions = state.questions.get(key) ?? new Set();
      state.questions.set(key, questions.add(read.question));
    }
    for (const oldest of state.kept.keys()) {
      if (state.bytes <= this.#options.mostBytes) break;
      this.#drop(oldest);
    }
    return true;
  }

  /** Forgets a read that failed, or whose answer must not be kept. */
  givesUp(number: number): void {
    this.state.reads.delete(number);
  }

  /**
   * Drops the answers that depend on these keys. Marks the reads in progress, because their answers may be old (L5).
   */
  drops(keys: readonly string[]): void {
    const { state } = this;
    for (const read of state.reads.values()) for (const key of keys) read.marked.add(key);
    if (keys.includes(everything)) {
      this.#forget();
      return;
    }
    for (const key of keys) for (const question of [...state.questions.get(key) ?? []]) this.#drop(question);
  }

  /** The session in whose name the holder acknowledges: the confirmed session, or the session being registered. */
  get acknowledgesAs(): string | undefined {
    return this.state.session ?? this.state.registering;
  }

  #extend(sentAt: Moment, now: Moment): void {
    const { rules, lifetimeMs } = this.#options;
    const from = rules.from(sentAt, now);
    const validMs = rules.validFor(lifetimeMs);
    this.state.deadline = { monotonic: from.monotonic + validMs, wall: from.wall + validMs };
  }

  #forget(): void {
    const { state } = this;
    state.kept.clear();
    state.questions.clear();
    state.bytes = 0;
  }

  #drop(question: string): void {
    const { state } = this;
    const kept = state.kept.get(question);
    if (kept === undefined) return;
    state.kept.delete(question);
    state.bytes -= kept.bytes;
    for (const key of kept.keys) {
      const questions = state.questions.get(key);
      questions?.delete(question);
      if (questions?.size === 0) state.questions.delete(key);
    }
  }
}
