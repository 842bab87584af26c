import type { LeaseRules, Moment } from './rules.ts';

/** An answer in memory. */
export interface Kept<Value> {
  readonly keys: readonly string[];
  readonly value: Value;
  readonly bytes: number;
}

/** A read that was sent and is not answered yet. */
export interface Read {
  readonly question: string;
  /** The session under which it was sent; undefined: the answer is not kept. */
  readonly session: string | undefined;
  /** Keys that were told since it was sent. */
  readonly marked: Set<string>;
}

/** All that a holder knows. Plain data, so that a search can copy it. */
export interface HolderState<Value> {
  /** The session that the authority has confirmed. */
  session: string | undefined;
  /** A session that is being registered: nothing is kept under it yet. */
  registering: string | undefined;
  /** The lease is valid until one of the two clocks has passed it. */
  deadline: Moment;
  /** The last reading of the wall clock. */
  wall: number;
  /** By question, the least used first. */
  kept: Map<string, Kept<Value>>;
  /** Questions whose kept answers rest on a key. */
  questions: Map<string, Set<string>>;
  /** Of all kept answers. */
  bytes: number;
  /** Reads under way, by number. */
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

/** Told in place of keys: everything that is kept. */
export const everything = '*';

export interface HolderOptions {
  readonly rules: LeaseRules;
  readonly lifetimeMs: number;
  /** Memory for kept answers; the least used go first. */
  readonly mostBytes: number;
}

/**
 * The machine of a holder: what it keeps, and whether it may still use it. It does no I/O and reads no clock;
 * {@link openHolder} drives it, and so does the search over all interleavings.
 */
export class Holder<Value> {
  readonly state: HolderState<Value>;
  readonly #options: HolderOptions;

  constructor(options: HolderOptions, state: HolderState<Value> = newHolderState()) {
    this.#options = options;
    this.state = state;
  }

  /** A registration is about to be sent. Ends the session before. */
  registers(session: string, now: Moment): void {
    this.end();
    this.state.registering = session;
    this.state.wall = now.wall;
  }

  /** The authority has a row of the session: from now on answers are kept. */
  registered(session: string, sentAt: Moment, now: Moment): void {
    const { state } = this;
    if (state.registering !== session) return;
    this.observes(now);
    // Ended, because the wall clock was set back meanwhile.
    if (state.registering !== session) return;
    state.registering = undefined;
    state.session = session;
    this.#extend(sentAt, now);
  }

  /** The authority has renewed the row. An answer about another session says nothing. */
  renewed(session: string, sentAt: Moment, now: Moment): void {
    if (this.state.session !== session) return;
    this.observes(now);
    if (this.state.session === session) this.#extend(sentAt, now);
  }

  /** The authority has no live row of the session. */
  refused(session: string): void {
    if (this.state.session === session || this.state.registering === session) this.end();
  }

  /** Forgets everything. The answers of reads under way are not kept. */
  end(): void {
    const { state } = this;
    state.session = undefined;
    state.registering = undefined;
    state.deadline = never;
    this.#forget();
  }

  /** Reads the clocks: a wall clock that was set back ends the session (L1). */
  observes(now: Moment): void {
    const { state } = this;
    if (now.wall < state.wall) this.end();
    state.wall = now.wall;
  }

  /** Whether what is kept may be used (L1). */
  isValid(now: Moment): boolean {
    const { session, wall, deadline } = this.state;
    return session !== undefined && now.wall >= wall && !this.#options.rules.isPast(deadline, now);
  }

  /** A kept answer, for a request that has arrived; undefined: the rows are to be read. */
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

  /** The read under way whose answer a request may share; undefined: the request sends one of its own (L2). */
  joinable(question: string): number | undefined {
    if (!this.#options.rules.joins()) return undefined;
    return [...this.state.reads].find(([, read]) => read.question === question)?.[0];
  }

  /** A read is about to be sent. It must be answered or given up. Returns its number. */
  sends(question: string): number {
    const { state } = this;
    const number = state.nextRead;
    state.nextRead += 1;
    state.reads.set(number, { question, session: state.session, marked: new Set() });
    return number;
  }

  /** A read was answered. Keeps the answer, where the rules allow that (L2). Returns whether it is kept. */
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

  /** A read was not answered, or its answer is not to be kept. */
  givesUp(number: number): void {
    this.state.reads.delete(number);
  }

  /** Drops what rests on keys that were told, and marks the reads under way (L5). */
  drops(keys: readonly string[]): void {
    const { state } = this;
    for (const read of state.reads.values()) for (const key of keys) read.marked.add(key);
    if (keys.includes(everything)) {
      this.#forget();
      return;
    }
    for (const key of keys) for (const question of [...state.questions.get(key) ?? []]) this.#drop(question);
  }

  /** For which session it acknowledges. One that is being registered keeps nothing yet, so it has nothing to drop. */
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
