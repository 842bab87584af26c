import type { Database } from '@platform/postgres';
import { deadlineIn, pause } from '@platform/service';
import { type Position, readHead } from './read-facts.ts';

/**
 * How often the newest fact is looked for while streams wait, in milliseconds: while a fact is not readable yet or
 * another one was just seen, and else. A notification replaces the looks, unless the fact is not readable yet.
 */
const busyPollMs = 250;
const idlePollMs = 1_000;
const notifiedPollMs = 15_000;
/** For so long after a new fact others are expected, in milliseconds. */
const busyMs = 10_000;
/** How long one look may take, in milliseconds. */
const lookMs = 2_000;

/** What a stream knows. */
export interface Seen {
  /** {@link Head.heard}, read before the facts were: later notifications may be about facts that were not read. */
  readonly heard: number;
  /** There is a fact that cannot be read yet, because an older transaction is under way. */
  readonly isWaiting: boolean;
}

/** The newest fact at some moment. */
export interface Newest {
  readonly position: Position;
  /** {@link Head.heard} before the look. */
  readonly heard: number;
}

/** Looks for new facts for all streams of a process. */
export interface Head {
  /** Number of notifications so far. */
  readonly heard: number;
  /** Returns the newest fact at the next tick, or undefined when the stream ends before. */
  next(seen: Seen, cancelled: AbortSignal): Promise<Newest | undefined>;
}

/** Streams that wait look at the same moments, so that they share one statement. */
export function createHead(database: Database): Head {
  const { notices } = database;
  let last: { readonly tick: string; readonly newest: Promise<Newest> } | undefined;
  let lookedAt = -Infinity;
  let newest: Position | undefined;
  let changedAt = -Infinity;
  let notified = new AbortController();
  let heard = 0;
  notices.on('facts', () => {
    heard += 1;
    notified.abort();
    notified = new AbortController();
  });

  async function look(): Promise<Newest> {
    lookedAt = performance.now();
    const before = heard;
    // Not ended by one of the streams that share it.
    const position = await readHead(database, deadlineIn(lookMs));
    if (position.xid !== newest?.xid || position.id !== newest.id) changedAt = performance.now();
    newest = position;
    return { position, heard: before };
  }

  function pollMs(isWaiting: boolean): number {
    if (isWaiting) return busyPollMs;
    if (notices.areHeard) return notifiedPollMs;
    return performance.now() - changedAt < busyMs ? busyPollMs : idlePollMs;
  }

  return {
    get heard() {
      return heard;
    },
    next: async (seen, cancelled) => {
      const every = pollMs(seen.isWaiting);
      const ends = seen.isWaiting ? cancelled : AbortSignal.any([cancelled, notified.signal]);
      if (seen.isWaiting || seen.heard === heard) await pause(every - performance.now() % every, ends);
      // Notifications come in bursts.
      const early = lookedAt + busyPollMs - performance.now();
      if (early > 0) await pause(early, cancelled);
      if (cancelled.aborted) return undefined;
      const tick = `${heard} ${every} ${Math.floor(performance.now() / every)}`;
      if (last?.tick !== tick) last = { tick, newest: look() };
      return last.newest;
    },
  };
}
