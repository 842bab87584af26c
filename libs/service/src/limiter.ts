import { type Deadline, DeadlineExceeded, refuseOver, whenOver } from './deadline.ts';
import { Unavailable } from './failure.ts';
import { currentParty } from './party.ts';

/**
 * Lets so many pieces of work run at once. The parties of what waits take turns (see {@link onBehalfOf}); the work of
 * one party goes in order.
 */
export interface Limiter {
  /**
   * @throws DeadlineExceeded when the turn does not come before the deadline, or the caller gives up
   * @throws Unavailable when too much work of the party waits
   */
  run<T>(deadline: Deadline, work: () => Promise<T>): Promise<T>;
  /**
   * Takes a place, for work that does not end with a promise. The returned function gives the place back: call it once.
   * @param deadline without one, it waits until the place comes
   * @throws DeadlineExceeded, Unavailable as {@link run}
   */
  enter(deadline: Deadline | undefined, party?: string): Promise<() => void>;
  /** Nothing runs and nothing waits. */
  readonly idle: boolean;
  /** Pieces of work that wait. */
  readonly waiting: number;
}

/**
 * @param what names what the work waits for, for the error
 * @param mostWaiting of one party
 */
export function createLimiter(most: number, what: string, mostWaiting = Infinity): Limiter {
  let running = 0;
  /** What waits, by party. The party that is next comes first. */
  const waiting = new Map<string, Set<() => void>>();

  function leave(): void {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    const [party, turns] = next;
    const [take] = turns;
    forget(party, take!);
    if (turns.size > 0) {
      waiting.delete(party);
      waiting.set(party, turns);
    }
    // The place passes on: nobody can slip in between.
    take!();
  }

  function forget(party: string, take: () => void): void {
    const turns = waiting.get(party)!;
    turns.delete(take);
    if (turns.size === 0) waiting.delete(party);
  }

  function turnOf(party: string, deadline: Deadline | undefined): Promise<void> {
    const turns = waiting.get(party) ?? new Set();
    if (turns.size >= mostWaiting) throw new Unavailable(`too many callers wait for ${what}`);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      forget(party, take);
      reject(new DeadlineExceeded(what));
    };
    const take = (): void => {
      stop?.();
      resolve();
    };
    const stop = deadline && whenOver(deadline, giveUp);
    waiting.set(party, turns.add(take));
    return promise;
  }

  async function enter(deadline: Deadline | undefined, party = currentParty()): Promise<() => void> {
    if (deadline !== undefined) refuseOver(deadline, what);
    if (running < most) running += 1;
    else await turnOf(party, deadline);
    return leave;
  }

  return {
    enter,
    get idle() {
      return running === 0;
    },
    get waiting() {
      return [...waiting.values()].reduce((sum, turns) => sum + turns.size, 0);
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
