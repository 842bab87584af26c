import { randomUUID } from 'node:crypto';
import { type Database, sql } from '@platform/postgres';
import type { Event, EventServiceService } from '@platform/proto/orgs/v1/event';
import type { RpcClient } from '@platform/rpc';
import { deadlineIn, loop, observeQueues, type OpenService, type QueueState, seldom } from '@platform/service';
import { isOutage } from './follow-facts.ts';

/**
 * Interval of the search for new events while this process cannot listen to PostgreSQL, in milliseconds. Also the pause
 * after a failure.
 */
const everyMs = 3_000;
/** Interval of the search for new events while this process listens to PostgreSQL, in milliseconds. */
const notifiedMs = 15_000;
/** Pause after a notification, in milliseconds. It lets events in quick succession be handed over together. */
const togetherMs = 250;
const atOnce = 100;
const callMs = 5_000;

type Taker = Pick<RpcClient<typeof EventServiceService>, 'takeEvents'>;

interface OutboxRow extends Omit<Event, 'ownerId'> { readonly id: number; readonly ownerId: number | null }

/**
 * Hands the events of this service over to orgs-teams, which sends them to webhooks (ADR 0270). The schema must have
 * the table of `sql/event-outbox.sql`, and triggers that call `note_event`. The queue `events` in the metrics counts
 * the events that wait.
 *
 * Events of one object are handed over in order. Each change locks the object until the end of the transaction, so an
 * earlier event of the object is committed first. Each event is handed over at least once. orgs-teams recognizes a
 * repeated event by the event's id.
 */
export function handOverEvents(
  { stack, log, metrics }: Pick<OpenService, 'stack' | 'log' | 'metrics'>, database: Database, client: Taker,
): void {
  observeQueues(metrics, ['events'], async (deadline) => ({
    events: await database.one(sql<QueueState>`
      select count(*) as "pending",
             coalesce(greatest(extract(epoch from now() - min(occurred_at)), 0), 0)::float8 as "oldestSeconds"
        from event_outbox`, { deadline }),
  }));
  const said = seldom();
  const { notices } = database;
  let areTaken = true;
  const handing = stack.use(loop('events', everyMs, async (stopping) => {
    try {
      while (!stopping.aborted && (await handOver(database, client, stopping)) === atOnce);
      areTaken = true;
      return notices.areHeard ? notifiedMs : everyMs;
    } catch (error) {
      areTaken = false;
      if (!isOutage(error)) throw error;
      const leftOut = said('events');
      if (leftOut !== undefined) log.warn({ leftOut, error }, 'cannot hand over events to orgs-teams; retrying');
      return everyMs;
    }
  }, log));
  notices.on('events', () => handing.wake(areTaken ? togetherMs : everyMs));
}

/** @returns the number of events that were handed over */
async function handOver(database: Database, client: Taker, stopping: AbortSignal): Promise<number> {
  const deadline = deadlineIn(callMs, stopping);
  const rows = await database.query(sql<OutboxRow>`
    select id, event_id::text as "eventId", kind, subject, owner_id as "ownerId", data, occurred_at as "occurredAt"
      from event_outbox order by id limit ${atOnce}`, { deadline });
  if (rows.length === 0) return 0;
  const events = rows.map(({ id: _id, ownerId, ...event }) => ({ ...event, ownerId: ownerId ?? undefined }));
  await client.takeEvents({ events }, { deadline, requestId: randomUUID(), cancelled: stopping });
  const ids = rows.map(({ id }) => id);
  await database.execute(sql`delete from event_outbox where id = any (${ids}::bigint[])`, { deadline });
  return rows.length;
}
