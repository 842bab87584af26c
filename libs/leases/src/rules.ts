/** A reading of both clocks of a process, in milliseconds. */
export interface Moment {
  /** Never set; does not count while the machine sleeps. */
  readonly monotonic: number;
  /** Counts while the machine sleeps; may be set. */
  readonly wall: number;
}

/** A holder's row at the authority, as one statement has read it. */
export interface SessionRow {
  readonly id: string;
  /** By the wall clock of the authority's database: a hint that the holder is gone, never a proof. */
  readonly expiresAt: number;
}

/** What a change knew of a session when it read the sessions. */
export interface SeenSession extends SessionRow {
  /** When the row was read, by the wall clock of the authority's database. */
  readonly readAt: number;
  /** How long the holder takes a session to live: settings may differ for a while. */
  readonly lifetimeMs: number;
}

/**
 * The rules of leases (docs/rules/leases.md), each as one function. {@link leaseRules} are the only ones in use; the
 * specs plant mistakes by replacing one at a time.
 */
export interface LeaseRules {
  /** L1: how long a lease is valid from `from` on, given how long a session lives. */
  validFor(lifetimeMs: number): number;
  /** L1: the moment from which a renewal counts. */
  from(sentAt: Moment, answeredAt: Moment): Moment;
  /** L1: whether the deadline of a lease has passed. */
  isPast(deadline: Moment, now: Moment): boolean;
  /** L2: whether an answer is kept. `isMarked`: one of its keys was told while the read was under way. */
  keeps(isMarked: boolean): boolean;
  /** L2: whether a request is answered by a read that was sent before the request arrived. */
  joins(): boolean;
  /** L5: what a holder does with keys that it is told, in this order. */
  readonly hearing: readonly ('drop' | 'acknowledge')[];
  /** L4: the order of the first steps of a call that changes rows. */
  readonly changing: readonly ('commit' | 'look')[];
  /** L4: whether a call that changed nothing itself answers without reading what others still have to tell. */
  readonly repeatsAtOnce: boolean;
  /** L4: whether a change waits for this session. */
  isLive(seen: SeenSession): boolean;
  /** L4: until when a change waits for sessions that it revoked, on its own monotonic clock. */
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
