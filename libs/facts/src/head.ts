import type { Database } from '@platform/postgres';
import { deadlineIn, pause } from '@platform/service';
import { type Position, readHead } from './read-facts.ts';

/**
 * Intervals of the search for the newest fact while streams wait, in milliseconds. The first one applies while a fact
 * is not readable yet, or when a fact was found lately; the second one otherwise. If notifications work, the third one
 * applies, unless a fact is not readable yet.
 */
const busyPollMs = 250;
const idlePollMs = 1_000;
const notifiedPollMs = 15_000;
/** How long after a new fact further facts are expected, in milliseconds. */
const busyMs = 10_000;
/** How long one look may take, in milliseconds. */
const lookMs = 2_000;

/** What a stream has already seen. */
export interface Seen {
  /**
   * Value of {@link Head.heard} before the facts were read: later notifications may be about facts that were not read.
   */
  readonly heard: number;
  /** Whether there is a fact that cannot be read yet, because an older transaction is under way. */
  readonly isWaiting: boolean;
}

/** The newest fact at some moment. */
export interface Newest {
  readonly position: Position;
  /** Value of {@link Head.heard} before the look. */
  readonly heard: number;
}

/** Looks for new facts for all streams of a process. */
export interface Head {
  /** Number of notifications so far. */
  readonly heard: number;
  /** Returns the newest fact at the next tick, or undefined if the stream ends earlier. */
  next(seen: Seen, cancelled: AbortSignal): Promise<Newest | undefined>;
}

/** Waiting streams look at the same moments, so that they share one statement. */
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
    // The look continues when one of the streams that share it ends.
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
      // Notifications come in bursts, so keep a pause between two looks.
      const early = lookedAt + busyPollMs - performance.now();
      if (early > 0) await pause(early, cancelled);
      if (cancelled.aborted) return undefined;
      const tick = `${heard} ${every} ${Math.floor(performance.now() / every)}`;
      if (last?.tick !== tick) last = { tick, newest: look() };
      return last.newest;
    },
  };
}
