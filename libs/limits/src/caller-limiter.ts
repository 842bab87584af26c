import { createLimiter, type Deadline, type Limiter } from '@platform/service';

/** Limits how many pieces of work run at the same time for each caller. Further work waits. */
export interface CallerLimiter {
  /** @throws DeadlineExceeded if the work cannot start before the deadline; the error of `work` */
  run<T>(callerId: number, deadline: Deadline, work: () => Promise<T>): Promise<T>;
  /** Number of callers with running or waiting work. */
  readonly callers: number;
}

export function createCallerLimiter(most: number, what: string): CallerLimiter {
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
