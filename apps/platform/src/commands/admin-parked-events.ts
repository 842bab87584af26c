import { EventAdminServiceService } from '@platform/proto/billing/v1/event_admin';
import type { Environment } from '../settings.ts';
import { columns, type Output } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';
import { allParts } from './lists.ts';

/** A replay of many messages takes a while. */
const replayMs = 120_000;

/**
 * `platform admin parked-events list`: answers `{"events": [{"id", "subject", "reason", "detail", "receivedAt",
 * "data"}]}`, by ascending id. @throws Fault
 */
export async function listParkedEvents(
  options: ServerOptions, environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(EventAdminServiceService, 'billing-dashboard', options, environment);
  const events = await allParts(async (after) => {
    const part = await service.listParkedEvents({ page: 0, limit: 0, after }, operatorCall());
    return [part.events, part.next];
  });
  output.answer({ events }, () => events.length === 0
    ? ['No event is parked.']
    : columns(events.map(({ id, reason, receivedAt, subject, detail }) => [
      String(id), reason, receivedAt, subject, detail,
    ])));
}

/**
 * `platform admin parked-events replay`: judges parked events again; without ids, all of them. Answers `{"accepted": 1,
 * "refused": 0}`. @throws Fault
 */
export async function replayParkedEvents(
  ids: readonly number[], options: ServerOptions, environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(EventAdminServiceService, 'billing-dashboard', options, environment);
  const { accepted, refused } = await service.replayParkedEvents({ ids: [...ids] }, operatorCall(replayMs));
  output.answer({ accepted, refused }, () => [`${accepted} events are counted, ${refused} stay parked.`]);
}
