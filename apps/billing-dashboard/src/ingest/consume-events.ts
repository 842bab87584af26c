import { type Bus, type Refusal, type ShareRates, shardSubject } from '@platform/bus';
import type { Database } from '@platform/postgres';
import type { Deadline, Metrics } from '@platform/service';
import type { KeptShares } from './kept-events.ts';
import { parkEvents } from './parked-events.ts';
import { type Ingest, Untimely } from './ingest.ts';
import { createStoreTurns } from './store-turns.ts';

/** How long the bus keeps unhandled events, in milliseconds. */
const keptMs = 14 * 86_400_000;
const durable = 'billing-dashboard';

/**
 * Receives the events of member clusters and stores them on the bus. Consumes the stored events of all shards. Replicas
 * share the events (ADR 0170).
 */
export function consumeEvents(
  bus: Bus, ingest: Ingest, database: Database,
  { shards, rates, kept, metrics }: {
    readonly shards: number; readonly rates: ShareRates; readonly kept: KeptShares; readonly metrics: Metrics;
  },
): void {
  const counter = metrics.counter({
    name: 'member_events_parked_total',
    help: 'Messages that were parked, by reason: malformed, future, late.',
    labels: ['reason'],
  });

  async function park(refusals: readonly Refusal[], deadline: Deadline): Promise<void> {
    const parked = refusals.map(({ message, error }) => ({
      message,
      reason: error instanceof Untimely ? error.reason : 'malformed' as const,
      detail: (error instanceof Error ? error.message : String(error)).slice(0, 500),
    }));
    await parkEvents(database, parked, { deadline });
    for (const { reason } of parked) counter.add({ reason });
  }

  bus.takeEvents({ shards, rates, durable, keptRefusal: kept.refusalOf });
  for (let shard = 0; shard < shards; shard += 1) {
    const turns = createStoreTurns();
    bus.consume({
      stream: { name: `events-s${shard}`, subjects: [shardSubject(shard)], maxAgeMs: keptMs },
      durable,
      // Refused events are parked at once, because a later attempt would refuse them again (open-points 13.5).
      handle: async (messages, deadline) => park(await ingest(messages, deadline, { turns }), deadline),
      park: (refusal, deadline) => park([refusal], deadline),
    });
  }
}
