/**
 * The time by which an answer is needed. It is on the monotonic clock, so a change of the wall clock does not move it.
 */
export interface Deadline {
  /** In milliseconds, on the clock of `performance.now()`. */
  readonly at: number;
  /** Aborts at the deadline, or when the caller gives up. The first read creates the signal and its timer. */
  readonly signal: AbortSignal;
}

/**
 * An operation did not finish before its deadline, or the caller gave up. libs/faults maps the error to
 * DEADLINE_EXCEEDED (504).
 */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
  /** What did not finish in time, e.g. `PostgreSQL` or `the file store`. */
  readonly what: string;

  constructor(what: string) {
    super(`${what} did not finish before the deadline`);
    this.what = what;
  }
}

/**
 * Returns a deadline `milliseconds` from now.
 * @param cancelled aborts when the caller gives up, for example because its connection was closed
 * @throws RangeError if `milliseconds` is not finite
 */
export function deadlineIn(milliseconds: number, cancelled?: AbortSignal): Deadline {
  if (!Number.isFinite(milliseconds)) throw new RangeError(`a deadline cannot be ${milliseconds} ms from now`);
  return new MonotonicDeadline(performance.now() + milliseconds, cancelled);
}

/**
 * Returns the milliseconds left, or 0 if the deadline has passed or the caller gave up. Less than 1 ms counts as 0,
 * because timers of Node may fire up to 1 ms early.
 */
export function remaining(deadline: Deadline): number {
  const left = cancellation(deadline)?.aborted === true ? 0 : deadline.at - performance.now();
  return left < 1 ? 0 : left;
}

/**
 * Call this before work that does not check the deadline itself.
 * @throws DeadlineExceeded if the deadline has passed or the caller gave up
 */
export function refuseOver(deadline: Deadline, what: string): void {
  if (remaining(deadline) === 0) throw new DeadlineExceeded(what);
}

/**
 * Returns an earlier deadline for the next hop, so that this hop can still answer if the next hop is late. This hop
 * keeps a tenth of the remaining time, at most 100 ms.
 * @param most maximum time of the next hop, in milliseconds
 */
export function shrink(deadline: Deadline, most = Infinity): Deadline {
  const left = remaining(deadline);
  return deadlineIn(Math.min(left - Math.min(left / 10, 100), most), cancellation(deadline));
}

/**
 * Settles like `promise` if `promise` settles before the deadline. The deadline counts as passed if the caller has
 * given up already. A caller that gives up later does not end the wait.
 * @throws DeadlineExceeded if the deadline passes first; a later outcome of `promise` is ignored
 */
export async function within<T>(deadline: Deadline, promise: Promise<T>, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DeadlineExceeded(what)), Math.ceil(remaining(deadline)));
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Calls `over` once when the deadline passes or the caller gives up. The returned function prevents the call.
 * `whenOver` costs less than {@link Deadline.signal}.
 */
export function whenOver(deadline: Deadline, over: () => void): () => void {
  const cancelled = cancellation(deadline);
  const stop = (): void => {
    clearTimeout(timer);
    cancelled?.removeEventListener('abort', end);
  };
  const end = (): void => {
    stop();
    over();
  };
  const timer = setTimeout(end, Math.ceil(remaining(deadline)));
  cancelled?.addEventListener('abort', end);
  return stop;
}

class MonotonicDeadline implements Deadline {
  readonly at: number;
  readonly cancelled: AbortSignal | undefined;
  #signal: AbortSignal | undefined;

  constructor(at: number, cancelled: AbortSignal | undefined) {
    this.at = at;
    this.cancelled = cancelled;
  }

  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const atDeadline = AbortSignal.timeout(Math.ceil(remaining(this)));
      this.#signal = this.cancelled === undefined ? atDeadline : AbortSignal.any([atDeadline, this.cancelled]);
    }
    return this.#signal;
  }
}

function cancellation(deadline: Deadline): AbortSignal | undefined {
  return deadline instanceof MonotonicDeadline ? deadline.cancelled : undefined;
}
