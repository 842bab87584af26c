import { createLimiter, type Deadline, type Limiter } from '@platform/service';

/** Lets so many pieces of work of each caller run at once; a caller's others wait in order, and hold up nobody else. */
export interface Turns {
  /** @throws DeadlineExceeded when the turn does not come before the deadline */
  run<T>(callerId: number, deadline: Deadline, work: () => Promise<T>): Promise<T>;
  /** Callers for whom something runs or waits. */
  readonly callers: number;
}

export function createTurns(most: number, what: string): Turns {
  const limiters = new Map<number, Limiter>();
  return {
    get callers() {
      return limiters.size;
    },
    run: async (callerId, deadline, work) => {
      const limiter = limiters.get(callerId) ?? createLimiter(most, what);
      limiters.set(callerId, limiter);
      try {
        return await limiter.run(deadline, work);
      } finally {
        if (limiter.idle && limiters.get(callerId) === limiter) limiters.delete(callerId);
      }
    },
  };
}
