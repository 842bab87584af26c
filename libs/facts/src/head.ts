import type { Database } from '@platform/postgres';
import { deadlineIn, pause } from '@platform/service';
import { type Position, readHead } from './read-facts.ts';

/** How often the newest fact is looked for while streams wait, in milliseconds: soon after another one, and else. */
const busyPollMs = 250;
const idlePollMs = 1_000;
/** For so long after a new fact others are expected, in milliseconds. */
const busyMs = 10_000;
/** How long one look may take, in milliseconds. */
const lookMs = 2_000;

/** Looks for new facts for all streams of a process. */
export interface Head {
  /** Returns the position of the newest fact at the next tick, or undefined when the stream ends before. */
  next(cancelled: AbortSignal): Promise<Position | undefined>;
}

/** Streams that wait look at the same moments, so that they share one statement. */
export function createHead(database: Database): Head {
  let last: { readonly tick: number; readonly position: Promise<Position> } | undefined;
  let newest: Position | undefined;
  let changedAt = -Infinity;

  async function look(): Promise<Position> {
    // Not ended by one of the streams that share it.
    const position = await readHead(database, deadlineIn(lookMs));
    if (position.xid !== newest?.xid || position.id !== newest.id) changedAt = performance.now();
    return newest = position;
  }

  return {
    next: async (cancelled) => {
      const pollMs = performance.now() - changedAt < busyMs ? busyPollMs : idlePollMs;
      await pause(pollMs - performance.now() % pollMs, cancelled);
      if (cancelled.aborted) return undefined;
      const tick = Math.floor(performance.now() / pollMs);
      if (last?.tick !== tick) last = { tick, position: look() };
      return last.position;
    },
  };
}
