import { type Bus, type Refusal, shardSubject, type StoredMessage } from '@platform/bus';
import type { Database } from '@platform/postgres';
import type { Deadline, Metrics } from '@platform/service';
import { parkEvents, type ParkedReason } from '../store/parked-events.ts';
import { type Ingest, Untimely } from './ingest.ts';

/** The bus keeps events so long, in milliseconds: an outage of this service may last as long. */
const keptMs = 14 * 86_400_000;

/** Takes the events of all shards from the bus. Replicas share the messages of each shard (ADR 0060). */
export function consumeEvents(
  bus: Bus, ingest: Ingest, database: Database, { shards, metrics }: { shards: number; metrics: Metrics },
): void {
  const counter = metrics.counter({
    name: 'member_events_parked_total',
    help: 'Messages that were parked, by reason: malformed, future, late.',
    labels: ['reason'],
  });

  async function park(refusals: readonly Refusal[], deadline: Deadline): Promise<void> {
    const parked = refusals.map(({ message, error }) => {
      return { message, reason: reasonOf(error), detail: messageOf(error) };
    });
    await parkEvents(database, parked, { deadline });
    for (const { reason } of parked) counter.add({ reason });
  }

  /** An event out of time stays so: it is parked at once. What is malformed is tried again (open-points 13.2). */
  async function handle(messages: readonly StoredMessage[], deadline: Deadline): Promise<readonly Refusal[]> {
    const { untimely = [], malformed = [] } = Object.groupBy(
      await ingest(messages, deadline), ({ error }) => (error instanceof Untimely ? 'untimely' : 'malformed'),
    );
    await park(untimely, deadline);
    return malformed;
  }

  for (let shard = 0; shard < shards; shard += 1) {
    bus.consume({
      stream: { name: `events-s${shard}`, subjects: [shardSubject(shard)], maxAgeMs: keptMs },
      durable: 'billing-dashboard',
      handle,
      park,
    });
  }
}

function reasonOf(error: unknown): ParkedReason {
  return error instanceof Untimely ? error.reason : 'malformed';
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
