import { AsyncLocalStorage } from 'node:async_hooks';
import { type Deadline, DeadlineExceeded, refuseOver, whenOver } from './deadline.ts';
import { Unavailable } from './failure.ts';

const parties = new AsyncLocalStorage<string>();

/**
 * Runs work on behalf of a party: an account, or the source of a request whose account is not known yet (ADR 0154).
 * The parties that wait at a {@link Limiter} take turns.
 */
export function onBehalfOf<Result>(party: string, work: () => Result): Result {
  return parties.run(party, work);
}

/** Returns the party of the current work. Returns an empty text for work of the platform itself. */
export function currentParty(): string {
  return parties.getStore() ?? '';
}

/**
 * Limits how much work runs at once. Waiting parties take turns ({@link onBehalfOf}). The work of one party runs in the
 * order in which it arrived.
 */
export interface Limiter {
  /**
   * @throws DeadlineExceeded if no turn comes in time; Unavailable if too much work of the party is waiting; the error
   *   of `work`
   */
  run<T>(deadline: Deadline, work: () => Promise<T>): Promise<T>;
  /**
   * Takes a place, for work that does not end with a promise. Call the returned function once, to give the place back.
   * @param deadline if undefined, the call waits until a place is free
   * @param party default: {@link currentParty}
   * @throws DeadlineExceeded or Unavailable, as {@link run} does
   */
  enter(deadline: Deadline | undefined, party?: string): Promise<() => void>;
  readonly idle: boolean;
  readonly waiting: number;
}

/** @param mostWaiting maximum number of waiting pieces of work of one party */
export function createLimiter(most: number, what: string, mostWaiting = Infinity): Limiter {
  let running = 0;
  /** Waiting work by party, in the order in which the parties take turns. */
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
    // The place is handed over directly, so that no other work can take it in between.
    take!();
  }

  function forget(party: string, take: () => void): void {
    const turns = waiting.get(party)!;
    turns.delete(take);
    if (turns.size === 0) waiting.delete(party);
  }

  function turnOf(party: string, deadline: Deadline | undefined): Promise<void> {
    const turns = waiting.get(party) ?? new Set();
    if (turns.size >= mostWaiting) throw new Unavailable(`too much work waits for ${what}`);
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
