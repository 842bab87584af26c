import { byId, pageOf, readPage } from '@platform/lists';
import { sql } from '@platform/postgres';
import type { EventAdminServiceService } from '@platform/proto/billing/v1/event_admin';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import type { ParkedEvent } from './parked-events.ts';

const shownCharacters = 2_000;

/** Lists parked messages, for site admins and for `platform admin parked-events list`. */
export function listParkedEvents(
  { config, database }: Parts,
): Handler<typeof EventAdminServiceService.listParkedEvents> {
  return async (request, { deadline }) => {
    const listed = await readPage<Omit<ParkedEvent, 'sequence'>>(database, {
      rows: sql`
        select id, subject, reason, detail, received_at as "receivedAt",
               substring(data for ${4 * shownCharacters}) as "data"
          from parked_event`,
      order: byId,
      count: sql`select count(*) from parked_event`,
    }, pageOf(request, config), deadline);
    const { items, total, next } = listed!;
    return {
      events: items.map(({ receivedAt, data, ...row }) => ({
        ...row, receivedAt: receivedAt.toISOString(),
        data: data.toString().slice(0, shownCharacters).toWellFormed(),
      })),
      total, next,
    };
  };
}
