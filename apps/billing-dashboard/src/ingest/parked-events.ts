import { type Queryable, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { StoredMessage } from '@platform/bus';

/** Why messages are parked, with the meaning (docs/events.md). */
export const parkedReasons = {
  malformed: 'The message is no valid event. It is not counted.',
  future: 'Its time is more than 10 minutes in the future. It is not counted.',
  late: 'It arrived more than 35 days after its time. It is not counted.',
  late_change: 'A deletion or a lowered amount arrived later than `usage.lateChanges` permits. It counts from the '
    + 'latest proof of use before it, or not at all.',
} as const;

export type ParkedReason = keyof typeof parkedReasons;

/** A message that was not counted, or not at its own time. */
export interface ParkedEvent {
  readonly id: number;
  readonly subject: string;
  readonly sequence: number;
  readonly receivedAt: Date;
  readonly data: Buffer;
  readonly reason: ParkedReason;
  readonly detail: string;
  readonly parkedAt: Date;
}

/** Stores messages that are not counted. Storing a message again changes nothing. */
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

/** Deletes messages after the retention time, which is that of raw events (ADR 0120). @returns how many */
export async function dropOldParkedEvents(queryable: Queryable, deadline: Deadline): Promise<number> {
  const { dropped } = await queryable.one(sql<{ dropped: number }>`
    with dropped as (delete from parked_event where received_at < now() - interval '6 months' returning id)
    select count(*)::integer as "dropped" from dropped`, { deadline });
  return dropped;
}
