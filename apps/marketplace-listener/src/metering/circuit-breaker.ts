import { unavailable } from '@platform/rpc';
import { DeadlineExceeded } from '@platform/service';

/**
 * Keeps calls away from who does not answer in time: each of them would hold a place that the calls to others need.
 * Others are called as usual.
 */
export interface CircuitBreaker {
  /**
   * @param whom names who is called
   * @throws Fault UNAVAILABLE without a call, until the pause after a call that took too long is over. Then one call
   *   finds out whether the others go on.
   */
  call<Answer>(whom: string, act: () => Promise<Answer>): Promise<Answer>;
}

/** @param now a clock, in milliseconds */
export function createCircuitBreaker(pauseMs: number, now = () => performance.now()): CircuitBreaker {
  /** Until when nobody calls them. */
  const blockedUntil = new Map<string, number>();
  return {
    call: async (whom, act) => {
      const until = blockedUntil.get(whom);
      if (until !== undefined) {
        if (now() < until) throw unavailable(whom);
        blockedUntil.set(whom, now() + pauseMs);
      }
      try {
        const answer = await act();
        blockedUntil.delete(whom);
        return answer;
      } catch (error) {
        if (error instanceof DeadlineExceeded) blockedUntil.set(whom, now() + pauseMs);
        else blockedUntil.delete(whom);
        throw error;
      }
    },
  };
}
