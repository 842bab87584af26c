import { addJobs } from '@platform/jobs';
import { type Queryable, sql } from '@platform/postgres';
import type { Event, EventServiceService } from '@platform/proto/orgs/v1/event';
import type { Handler } from '@platform/rpc';
import { invalidValue, uuidProblem } from '@platform/values';
import type { Parts } from '../parts.ts';
import { type IdentifiedEvent, writeDeliveries } from './note-events.ts';

/** Receives events from other services (ADR 0270), and queues them for delivery to webhook endpoints. */
export function takeEvents({ database }: Pick<Parts, 'database'>): Handler<typeof EventServiceService.takeEvents> {
  return async ({ events }, { deadline }) => {
    await database.transact(async (transaction) => {
      const people = await peopleAmong(transaction, events);
      const identified = events.map((event, place) => eventFrom(event, place, people));
      await addJobs(transaction, await writeDeliveries(transaction, identified));
    }, { deadline });
    return {};
  };
}

async function peopleAmong(queryable: Queryable, events: readonly Event[]): Promise<ReadonlySet<number>> {
  const owners = events.flatMap(({ ownerId }) => ownerId ?? []);
  const rows = await queryable.query(sql<{ id: number }>`
    select id from account where kind = 'person' and id = any (${owners}::bigint[])`);
  return new Set(rows.map(({ id }) => id));
}

/** @throws Fault INVALID_VALUE */
function eventFrom(
  { eventId, kind, subject, ownerId, data, occurredAt }: Event, place: number, people: ReadonlySet<number>,
): IdentifiedEvent {
  const problem = uuidProblem(eventId);
  if (problem !== undefined) throw invalidValue([{ path: `events[${place}].eventId`, message: problem }]);
  const isPerson = ownerId !== undefined && people.has(ownerId);
  const owner = ownerId === undefined ? {} : { [isPerson ? 'userID' : 'organizationID']: ownerId };
  return {
    eventId, kind, subject, organizationId: isPerson ? null : ownerId ?? null,
    data: { ...owner, ...data }, ...(occurredAt && { occurredAt }),
  };
}
