import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { StoredMessage } from '@platform/bus';

/** The reasons for which messages are parked, with their meanings (docs/events.md). */
export const parkedReasons = {
  malformed: 'The message is not a valid event, or several attempts to store it failed. The message is not counted.',
  future: 'The time of the event is more than 10 minutes in the future. The event is not counted.',
  late: 'The event arrived more than 35 days after its time. The event is not counted.',
  late_change: 'An event about a deleted or smaller object arrived later than `usage.lateChanges` permits. It does not '
    + 'reduce usage that is already counted: the change counts only from a later time on, or not at all.',
} as const;

type ParkedReason = keyof typeof parkedReasons;

/** A message that does not count, or that counts only from a time after the time of its event. */
export interface ParkedEvent {
  readonly id: number;
  readonly subject: string;
  readonly sequence: number;
  readonly receivedAt: Date;
  readonly data: Buffer;
  readonly reason: ParkedReason;
  readonly detail: string;
}

/** Parks messages. Parking a message again changes nothing. */
export async function parkEvents(
  queryable: Queryable,
  parked: readonly { message: StoredMessage; reason: ParkedReason; detail: string }[],
  options: { deadline?: Deadline } = {},
): Promise<void> {
  if (parked.length === 0) return;
  await queryable.execute(sql`
    insert into parked_event (subject, sequence, received_at, data, reason, detail)
    select * from unnest(
      ${parked.map(({ message }) => message.subject)}::text[],
      ${parked.map(({ message }) => message.sequence)}::bigint[],
      ${parked.map(({ message }) => message.storedAt)}::timestamptz[],
      ${parked.map(({ message }) => Buffer.from(message.data))}::bytea[],
      ${parked.map(({ reason }) => reason)}::text[],
      ${parked.map(({ detail }) => detail)}::text[]
    )
        on conflict on constraint parked_event_once do nothing`, options);
}

/** Deletes messages that arrived more than 6 months ago (ADR 0120), and returns the number of deleted messages. */
export async function dropOldParkedEvents(queryable: Queryable, deadline: Deadline): Promise<number> {
  const { dropped } = await queryable.one(sql<{ dropped: number }>`
    with dropped as (delete from parked_event where received_at < now() - interval '6 months' returning id)
    select count(*)::integer as "dropped" from dropped`, { deadline });
  return dropped;
}
