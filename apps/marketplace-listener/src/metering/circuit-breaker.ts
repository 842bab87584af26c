import { unavailable } from '@platform/faults';
import { type Breaker, createBreaker, DeadlineExceeded } from '@platform/service';

/**
 * Refuses calls to receivers that do not answer in time, because each such call holds a place that calls to other
 * receivers need. Other receivers are called as usual.
 */
export interface CircuitBreaker {
  /** @throws Fault UNAVAILABLE without a call, while the breaker of the receiver is open */
  call<Answer>(receiver: string, act: () => Promise<Answer>): Promise<Answer>;
}

/** @param now a clock, in milliseconds */
export function createCircuitBreaker(pauseMs: number, now?: () => number): CircuitBreaker {
  /** State of receivers that were too slow. */
  const breakers = new Map<string, Breaker>();
  return {
    call: async (receiver, act) => {
      if (breakers.get(receiver)?.refusal() !== undefined) throw unavailable(receiver);
      try {
        const answer = await act();
        breakers.delete(receiver);
        return answer;
      } catch (error) {
        if (error instanceof DeadlineExceeded) {
          const breaker = breakers.get(receiver) ?? createBreaker({ most: 1, pauseMs, ...(now && { now }) });
          breaker.failed();
          breakers.set(receiver, breaker);
        } else {
          breakers.delete(receiver);
        }
        throw error;
      }
    },
  };
}
