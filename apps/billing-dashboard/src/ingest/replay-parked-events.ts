import type { StoredMessage } from '@platform/bus';
import { sql } from '@platform/postgres';
import type { EventAdminServiceService } from '@platform/proto/billing/v1/event_admin';
import type { Handler } from '@platform/rpc';
import { mostItems, refuseTooMany } from '@platform/values';
import type { Parts } from '../parts.ts';
import type { ParkedEvent } from './parked-events.ts';

/** Maximum number of messages per batch. It is small, because a message may have up to 1 MiB. */
const atOnce = 10;

/**
 * Processes parked messages again, for site admins and for `platform admin parked-events replay`. A message stays
 * parked until it is stored. Storing a message twice is harmless.
 */
export function replayParkedEvents(
  { database, ingest }: Parts,
): Handler<typeof EventAdminServiceService.replayParkedEvents> {
  return async ({ ids }, { deadline }) => {
    refuseTooMany('ids', ids, mostItems);
    const which = ids.length === 0 ? sql`true` : sql`id = any (${ids}::bigint[])`;
    const replayedAt = new Date();
    let [accepted, refused] = [0, 0];
    for (let after = 0; ;) {
      const parked = await database.query(sql<Omit<ParkedEvent, 'reason' | 'detail'>>`
        select id, subject, sequence, received_at as "receivedAt", data from parked_event
         where id > ${after} and ${which} order by id limit ${atOnce}`, { deadline });
      if (parked.length === 0) return { accepted, refused };
      const messages = new Map<StoredMessage, number>(
        parked.map(({ id, receivedAt, ...message }) => [{ ...message, storedAt: receivedAt }, id]),
      );
      const refusals = await ingest([...messages.keys()], deadline, { replayedAt });
      for (const { message } of refusals) messages.delete(message);
      const done = [...messages.values()];
      await database.execute(sql`delete from parked_event where id = any (${done}::bigint[])`, { deadline });
      accepted += done.length;
      refused += parked.length - done.length;
      after = parked.at(-1)!.id;
    }
  };
}
