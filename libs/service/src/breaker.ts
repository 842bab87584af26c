/**
 * Stops calls to a server that does not answer. After `most` failures in a row, it refuses calls for `pauseMs`. Then it
 * lets one call through, and refuses others for another `pauseMs`. A success ends the refusals.
 */
export interface Breaker {
  /** Ask before each call. Returns undefined if the call may be made; otherwise, the seconds until the next attempt. */
  refusal(): number | undefined;
  succeeded(): void;
  failed(): void;
}

/** @param now a monotonic clock in milliseconds */
export function createBreaker(
  { most, pauseMs, now = () => performance.now() }: { most: number; pauseMs: number; now?: () => number },
): Breaker {
  let failures = 0;
  let openUntil = 0;
  return {
    refusal: () => {
      if (failures < most) return undefined;
      const left = openUntil - now();
      if (left > 0) return Math.ceil(left / 1_000);
      openUntil = now() + pauseMs;
      return undefined;
    },
    succeeded: () => {
      failures = 0;
    },
    failed: () => {
      failures += 1;
      if (failures >= most) openUntil = now() + pauseMs;
    },
  };
}
