import { type Deadline, within } from '@platform/service';

/** Lets so many pieces of work run at once; the others wait in order. */
export interface Limiter {
  /** @throws DeadlineExceeded when the turn does not come before the deadline */
  run<T>(deadline: Deadline, work: () => Promise<T>): Promise<T>;
}

export function createLimiter(most: number): Limiter {
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
      await within(deadline, come, 'the turn at the authorization engine');
    } catch (error) {
      // The turn may have come in the same moment: then it is passed on.
      if (!waiting.delete(turn)) leave();
      throw error;
    }
  }

  return {
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
