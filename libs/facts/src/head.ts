import type { Database } from '@platform/postgres';
import { deadlineIn, pause } from '@platform/service';
import { type Position, readHead } from './read-facts.ts';

/** Pause between two queries while facts are frequent, or while an open transaction hides a fact, in milliseconds. */
const busyPollMs = 250;
/** Pause while this process hears no notifications and no fact is hidden or recent, in milliseconds. */
const idlePollMs = 1_000;
/** Maximum pause while this process hears notifications and no fact is hidden, in milliseconds. */
const notifiedPollMs = 15_000;
const busyMs = 10_000;
/** Time limit of one query, in milliseconds. */
const lookMs = 2_000;

/** State of a stream of facts to a follower. */
export interface Seen {
  /** Value of {@link Head.heard} before the stream read facts. Later notifications may be about facts not read yet. */
  readonly heard: number;
  /** Whether there is a fact that the stream cannot read yet, because an older transaction is still under way. */
  readonly isWaiting: boolean;
}

interface Newest {
  readonly position: Position;
  /** Value of {@link Head.heard} before the query. */
  readonly heard: number;
}

/** Searches for new facts, once for all streams of this process. */
export interface Head {
  /** Number of notifications about facts that this process has received. */
  readonly heard: number;
  /** Waits for a notification or the next interval, then searches. Returns undefined if the stream ends earlier. */
  next(seen: Seen, cancelled: AbortSignal): Promise<Newest | undefined>;
}

/** Creates the search for new facts. Waiting streams usually share one query per interval. */
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
    // Several streams may share this query. So it has its own deadline and does not stop when one stream ends.
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
      // Notifications may come in quick succession, so pause between two queries.
      const early = lookedAt + busyPollMs - performance.now();
      if (early > 0) await pause(early, cancelled);
      if (cancelled.aborted) return undefined;
      const tick = `${heard} ${every} ${Math.floor(performance.now() / every)}`;
      if (last?.tick !== tick) last = { tick, newest: look() };
      return last.newest;
    },
  };
}
