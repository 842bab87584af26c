/** A reading of both clocks of a process, in milliseconds. */
export interface Moment {
  /** The monotonic clock, which nobody can set and which may stop while the machine sleeps. */
  readonly monotonic: number;
  /** The wall clock, which can be set and which counts while the machine sleeps. */
  readonly wall: number;
}

/** A session: the row of a lease holder in the database of the authority (docs/rules/leases.md). */
export interface SessionRow {
  readonly id: string;
  /**
   * Unix time in milliseconds, by the wall clock of the authority's database. If that clock is set forward, the lease
   * may end later.
   */
  readonly expiresAt: number;
}

/** A session, as it was read from the database. */
export interface SeenSession extends SessionRow {
  /** Time of the read, by the same clock as `expiresAt`. */
  readonly readAt: number;
  /**
   * The lifetime of a lease in the settings of the holder. During a rollout, it may differ from the settings of this
   * process.
   */
  readonly lifetimeMs: number;
}

/**
 * The rules of leases (docs/rules/leases.md), each as one function or value. Production uses {@link leaseRules}. Tests
 * replace one rule at a time to show that the rule is necessary.
 */
export interface LeaseRules {
  /** L1: how long a lease is valid after it begins, in milliseconds. */
  validFor(lifetimeMs: number): number;
  /** L1: the moment at which the lease begins, after a registration or a renewal. */
  from(sentAt: Moment, answeredAt: Moment): Moment;
  /** L1: whether the deadline of a lease has passed. */
  isPast(deadline: Moment, now: Moment): boolean;
  /** L2: whether an answer is kept. `isMarked`: one of its keys was published during the read. */
  keeps(isMarked: boolean): boolean;
  /** L2: whether a request may use the answer of a read that was sent before the request arrived. */
  joins(): boolean;
  /** L5: the steps, in order, that a holder takes when it receives the keys of a change. */
  readonly hearing: readonly ('drop' | 'acknowledge')[];
  /** L4: the order of the first steps of a call that changes rows. */
  readonly changing: readonly ('commit' | 'look')[];
  /** L4: whether a call that changed nothing returns at once, without a wait for changes of other calls. */
  readonly repeatsAtOnce: boolean;
  /** L4: whether a change waits for this session. */
  isLive(seen: SeenSession): boolean;
  /** L4: when a change stops waiting for the sessions that it revoked, in milliseconds of the monotonic clock. */
  outwaits(revokedAt: Moment, lookedAt: Moment, seen: readonly SeenSession[], lifetimeMs: number): number;
}

export const leaseRules: LeaseRules = {
  validFor: (lifetimeMs) => 0.9 * lifetimeMs,
  from: (sentAt) => sentAt,
  isPast: (deadline, now) => now.monotonic >= deadline.monotonic || now.wall >= deadline.wall,
  keeps: (isMarked) => !isMarked,
  joins: () => false,
  hearing: ['drop', 'acknowledge'],
  changing: ['commit', 'look'],
  repeatsAtOnce: false,
  isLive: () => true,
  outwaits: (revokedAt, _lookedAt, seen, lifetimeMs) =>
    revokedAt.monotonic + Math.max(lifetimeMs, ...seen.map((session) => session.lifetimeMs)),
};
