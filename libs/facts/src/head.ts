import type { Database } from '@platform/postgres';
import { deadlineIn, pause } from '@platform/service';
import { type Position, readHead } from './read-facts.ts';

/** Minimum pause between two queries, in milliseconds. */
const busyPollMs = 250;
/** Pause if this process cannot listen to notifications and saw no new fact within {@link busyMs}, in milliseconds. */
const idlePollMs = 1_000;
/** Maximum pause between two queries while this process listens to notifications, in milliseconds. */
const notifiedPollMs = 15_000;
const busyMs = 10_000;
/** Time limit of one query, in milliseconds. */
const lookMs = 2_000;

/** State of one of the streams that send facts. {@link Head.next} needs it. */
export interface Seen {
  /** Value of {@link Head.heard} before the stream last read facts. Later notifications may be about newer facts. */
  readonly heard: number;
  /** Whether there is a fact that the stream cannot read yet, because an older transaction is still under way. */
  readonly isWaiting: boolean;
}

interface Newest {
  readonly position: Position;
  /** Value of {@link Head.heard} before `position` was read. */
  readonly heard: number;
}

/** Searches for new facts on behalf of all streams of this process. */
export interface Head {
  /** Increases with each notification about facts, and when the connection for notifications is lost or opened. */
  readonly heard: number;
  /** Waits until a search is due. Returns the position of the newest fact; undefined if `cancelled` ends the wait. */
  next(seen: Seen, cancelled: AbortSignal): Promise<Newest | undefined>;
}

/** Creates the search for new facts. Streams that wait for new facts at the same time usually share a query. */
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
