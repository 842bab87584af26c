import { unavailable } from '@platform/faults';
import { type Breaker, createBreaker, DeadlineExceeded } from '@platform/service';

/** Pauses calls to receivers that did not answer in time, because slow calls delay the calls to other receivers. */
export interface CircuitBreaker {
  /**
   * Calls `act`, unless calls to the receiver are paused.
   * @throws the errors of `act`; Fault UNAVAILABLE while calls to the receiver are paused
   */
  call<Answer>(receiver: string, act: () => Promise<Answer>): Promise<Answer>;
}

/**
 * @param pauseMs how long a receiver is not called after it did not answer in time
 * @param now a clock, in milliseconds
 */
export function createCircuitBreaker(pauseMs: number, now?: () => number): CircuitBreaker {
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
