/**
 * Stops calls to a server that does not answer. After `most` failures in a row the breaker is open for `pauseMs`. Then
 * one call tries the server, while other calls are refused for another pause. A success closes the breaker.
 */
export interface Breaker {
  /** The seconds until the next attempt if calls are refused now, else undefined. */
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
