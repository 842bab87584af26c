import type { StoredMessage } from '@platform/bus';
import type { EventAdminServiceService } from '@platform/proto/billing/v1/event_admin';
import type { Handler } from '@platform/rpc';
import { invalidValue, mostItems, refuseTooMany } from '@platform/values';
import type { Parts } from '../parts.ts';
import { readMicroseconds } from '../payload/json.ts';

/**
 * Stores events for `platform seed --objects`, and counts their usage. The times of the events may be long ago or in
 * the future. If one event is invalid, no event of the request is stored.
 */
export function enterHistory({ ingest }: Parts): Handler<typeof EventAdminServiceService.enterHistory> {
  return async ({ events }, { deadline }) => {
    refuseTooMany('events', events, mostItems);
    const storedAt = new Date();
    const messages = events.map(({ subject, event }, sequence) => ({
      subject, data: Buffer.from(event), sequence, storedAt,
    }));
    const repeatedUntil = ({ sequence }: StoredMessage): number | undefined => {
      const text = events[sequence]!.repeatedUntil;
      return text === '' ? undefined : readMicroseconds(text, 'repeatedUntil');
    };
    const refusals = await ingest(messages, deadline, { history: repeatedUntil });
    if (refusals.length > 0) {
      throw invalidValue(refusals.map(({ message, error }) => ({
        path: `events[${message.sequence}]`, message: (error as Error).message,
      })));
    }
    return {};
  };
}
