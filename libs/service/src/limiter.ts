import { type Deadline, within } from './deadline.ts';

/** Lets so many pieces of work run at once; the others wait in order. */
export interface Limiter {
  /** @throws DeadlineExceeded when the turn does not come before the deadline */
  run<T>(deadline: Deadline, work: () => Promise<T>): Promise<T>;
  /** Nothing runs and nothing waits. */
  readonly idle: boolean;
}

/** @param what names what the work waits for, for the error */
export function createLimiter(most: number, what: string): Limiter {
  let running = 0;
  const waiting = new Set<() => void>();

  function leave(): void {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    // The place passes on: nobody can slip in between.
    waiting.delete(next);
    next();
  }

  async function enter(deadline: Deadline): Promise<void> {
    if (running < most) {
      running += 1;
      return;
    }
    let turn!: () => void;
    const come = new Promise<void>((resolve) => {
      turn = resolve;
    });
    waiting.add(turn);
    try {
      await within(deadline, come, what);
    } catch (error) {
      // The turn may have come in the same moment: then it is passed on.
      if (!waiting.delete(turn)) leave();
      throw error;
    }
  }

  return {
    get idle() {
      return running === 0;
    },
    run: async (deadline, work) => {
      await enter(deadline);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
