import type { DatabaseSync } from 'node:sqlite';
import type { Action } from '../events/cloud-event.ts';

export interface QueuedEvent {
  readonly seq: number;
  readonly text: string;
}

/** Events that the bus has not accepted yet, in the order in which they were created. */
export interface Queue {
  add(change: Action | 'repeated', text: string, now: Date): void;
  first(count: number): readonly QueuedEvent[];
  taken(events: readonly Pick<QueuedEvent, 'seq'>[]): void;
  /** Removes updates and repetitions that would arrive too late to be counted. */
  dropStale(now: Date): void;
  /** Computes `bytes` and `length` again. Call it after a rollback. */
  recount(): void;
  readonly bytes: number;
  readonly length: number;
}

/** Size of the queue, in bytes, above which repetitions and updates are dropped. */
const usualBytes = 1024 ** 3;
/**
 * Maximum age of updates and repetitions, in milliseconds. It is one day less than the 35 days after which the platform
 * does not count an event (open-points 7.3).
 */
const staleMs = 34 * 86_400_000;
const droppedAtOnce = 100;

/**
 * Opens the queue in the database of the agent. A full queue drops the oldest repetitions first, then the oldest
 * updates. It does not drop creations or deletions.
 */
export function openQueue(database: DatabaseSync, mostBytes: number = usualBytes): Queue {
  database.exec(`
    create table if not exists queued (
      seq integer primary key autoincrement, change text not null, text text not null, at integer not null
    ) strict;
    create index if not exists queued_by_change on queued (change, seq);
    create index if not exists queued_by_age on queued (change, at);
  `);
  const insert = database.prepare('insert into queued (change, text, at) values (?, ?, ?)');
  const oldest = database.prepare('select seq, text from queued order by seq limit ?');
  const remove = database.prepare('delete from queued where seq = ? returning length(cast(text as blob)) as bytes');
  const ofChange = database.prepare('select seq, text from queued where change = ? order by seq limit ?');
  const stale = database.prepare(`
    select seq, text from queued where change in ('repeated', 'updated') and at < ? limit ?`);
  const count = database.prepare(`
    select coalesce(sum(length(cast(text as blob))), 0) as bytes, count(*) as length from queued`);
  let { bytes, length } = count.get() as { bytes: number; length: number };

  function forget(events: readonly Pick<QueuedEvent, 'seq'>[]): void {
    for (const { seq } of events) {
      const removed = remove.get(seq) as { bytes: number } | undefined;
      if (removed === undefined) continue;
      bytes -= removed.bytes;
      length -= 1;
    }
  }

  function makeRoom(): void {
    for (const change of ['repeated', 'updated']) {
      while (bytes > mostBytes) {
        const dropped = ofChange.all(change, droppedAtOnce) as unknown as readonly QueuedEvent[];
        if (dropped.length === 0) break;
        forget(dropped);
      }
    }
  }

  return {
    add: (change, text, now) => {
      insert.run(change, text, now.getTime());
      bytes += Buffer.byteLength(text);
      length += 1;
      if (bytes > mostBytes) makeRoom();
    },
    first: (count) => oldest.all(count) as unknown as readonly QueuedEvent[],
    taken: forget,
    dropStale: (now) => {
      for (;;) {
        const dropped = stale.all(now.getTime() - staleMs, droppedAtOnce) as unknown as readonly QueuedEvent[];
        if (dropped.length === 0) return;
        forget(dropped);
      }
    },
    recount: () => {
      ({ bytes, length } = count.get() as { bytes: number; length: number });
    },
    get bytes() {
      return bytes;
    },
    get length() {
      return length;
    },
  };
}
