/**
 * The time by which an answer is needed. It is on the monotonic clock, so a change of the wall clock does not move it.
 */
export interface Deadline {
  /** On the clock of `performance.now()`. */
  readonly at: number;
  /** Aborts at the deadline, or when the caller gives up. It is created at the first read, because it needs a timer. */
  readonly signal: AbortSignal;
}

/** An operation did not finish before its deadline. libs/faults maps the error to DEADLINE_EXCEEDED (504). */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
  /** The operation, e.g. `PostgreSQL` or `authz Check`. */
  readonly what: string;

  constructor(what: string) {
    super(`${what} did not answer before the deadline`);
    this.what = what;
  }
}

/**
 * A deadline `milliseconds` from now. `cancelled` aborts if the caller stops waiting (a closed connection).
 * @throws RangeError if `milliseconds` is not finite, because a timer would treat it as 1 ms
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

/** For work that does not check the deadline itself. @throws DeadlineExceeded if it has passed or the caller gave up */
export function refuseOver(deadline: Deadline, what: string): void {
  if (remaining(deadline) === 0) throw new DeadlineExceeded(what);
}

/**
 * Returns an earlier deadline for the next hop, so that this hop can still answer if the next hop is late. The reserve
 * is a tenth of the remaining time, at most 100 ms.
 * @param most maximum time of the next hop, in milliseconds
 */
export function shrink(deadline: Deadline, most = Infinity): Deadline {
  const left = remaining(deadline);
  return deadlineIn(Math.min(left - Math.min(left / 10, 100), most), cancellation(deadline));
}

/** @throws DeadlineExceeded if the deadline passes before the promise settles; the later outcome is ignored */
export async function within<T>(deadline: Deadline, promise: Promise<T>, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DeadlineExceeded(what)), Math.ceil(remaining(deadline)));
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Calls `over` once when the deadline passes or the caller gives up. The returned function prevents the call. This
 * costs less than {@link Deadline.signal}.
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
