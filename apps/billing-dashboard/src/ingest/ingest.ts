import type { Refusal, StoredMessage } from '@platform/bus';
import type { Database } from '@platform/postgres';
import type { Deadline, Metrics } from '@platform/service';
import type { ArrivedEvent } from './arrived-event.ts';
import { storeEvents } from './store.ts';
import type { StoreTurns } from './store-turns.ts';
import type { RawEvents } from './raw-events.ts';
import { Malformed } from '../payload/json.ts';
import { isBelated } from '../usage/late-changes.ts';
import { lateUs } from '../usage/month.ts';
import { readEvent } from './member-event.ts';

/** How far in the future an event may be, in microseconds. Events beyond this limit are parked (open-points 13.2). */
const mostEarlyUs = 600 * 1_000_000;

export class Untimely extends Error {
  override readonly name = 'Untimely';
  readonly reason: 'future' | 'late';

  constructor(reason: Untimely['reason'], timeUs: number) {
    super(new Date(timeUs / 1000).toISOString());
    this.reason = reason;
  }
}

interface IngestOptions {
  /**
   * Returns the time of the last repetition of an event, in microseconds since 1970; undefined if the event was not
   * repeated. If this function is given, events of any time are accepted, and one refused event prevents the storage of
   * all events.
   * @throws Malformed
   */
  readonly history?: (message: StoredMessage) => number | undefined;
  /**
   * The time of the replay, if parked events are replayed. The check for events in the future compares with this time
   * instead of the time of arrival.
   */
  readonly replayedAt?: Date;
  /** The transaction waits for its turn here. Parsing does not wait. */
  readonly turns?: StoreTurns;
}

/** Stores events. Returns the refused events, which are not stored, with the error Malformed or Untimely. */
export type Ingest = (
  messages: readonly StoredMessage[], deadline: Deadline, options?: IngestOptions,
) => Promise<readonly Refusal[]>;

/**
 * Creates the function that stores events. One transaction stores the accepted events of a batch.
 * @param lateChangesMs `usage.lateChanges`, in milliseconds
 * @param stored called after each stored batch, because usage may be due for renewal
 */
export function createIngest({ database, rawEvents, metrics, lateChangesMs, stored }: {
  database: Database; rawEvents: RawEvents; metrics: Metrics; lateChangesMs: number; stored: () => void;
}): Ingest {
  const taken = metrics.counter({
    name: 'member_events_total',
    help: 'Accepted events of member clusters, by outcome: added or repeated.',
    labels: ['outcome'],
  });
  const late = metrics.counter({
    name: 'member_late_changes_total',
    help: 'Late events about deleted or smaller objects. They arrived later than usage.lateChanges permits, so they do '
      + 'not reduce usage that is already counted.',
  });
  const lateChangesUs = lateChangesMs * 1000;
  return async (messages, deadline, options = {}) => {
    const { events, refusals } = readAll(messages, options);
    if (options.history !== undefined && refusals.length > 0) return refusals;
    await rawEvents.prepare(events.map(({ message }) => message.storedAt), deadline);
    const store = () => database.transact(
      (transaction) => storeEvents(transaction, rawEvents, events, lateChangesUs),
      { deadline, lockTimeout: 10_000 },
    );
    const isLate = events.some((event) => isBelated(event, Infinity, lateChangesUs));
    const { added, repeated, lateChanges } = await (options.turns?.(deadline, isLate, store) ?? store());
    stored();
    taken.add({ outcome: 'added' }, added);
    taken.add({ outcome: 'repeated' }, repeated);
    late.add({}, lateChanges);
    return refusals;
  };
}

function readAll(
  messages: readonly StoredMessage[], { history, replayedAt }: IngestOptions,
): { events: ArrivedEvent[]; refusals: Refusal[] } {
  const [events, refusals]: [ArrivedEvent[], Refusal[]] = [[], []];
  for (const message of messages) {
    try {
      const receivedUs = microseconds(message.storedAt);
      const event = readEvent(message, receivedUs);
      if (history === undefined) refuseUntimely(event.time, receivedUs, microseconds(replayedAt ?? message.storedAt));
      const { time } = event;
      const until = Math.max(time, history?.(message) ?? time);
      events.push({ event, time, until, receivedAt: history === undefined ? receivedUs : time, message });
    } catch (error) {
      if (!(error instanceof Malformed) && !(error instanceof Untimely)) throw error;
      refusals.push({ message, error });
    }
  }
  return { events, refusals };
}

function microseconds(time: Date): number {
  return time.getTime() * 1000;
}

function refuseUntimely(timeUs: number, receivedUs: number, judgedUs: number): void {
  if (timeUs - judgedUs > mostEarlyUs) throw new Untimely('future', timeUs);
  if (receivedUs - timeUs > lateUs) throw new Untimely('late', timeUs);
}
