import { EventAdminServiceService } from '@platform/proto/billing/v1/event_admin';
import type { Environment } from '../settings.ts';
import { columns, type Output } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';
import { step } from '../progress.ts';
import { allParts, forEachPart } from './lists.ts';

const replayedAtOnce = 200;
const replayMs = 120_000;

/**
 * `platform admin parked-events list`: prints the parked events by ascending id. With `--json`, prints
 * `{"events": [{"id", "subject", "reason", "detail", "receivedAt", "data"}]}`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function listParkedEvents(
  options: ServerOptions, environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(EventAdminServiceService, 'billing-dashboard', options, environment);
  const events = await allParts((after) => service.listParkedEvents({ page: 0, limit: 0, after }, operatorCall()),
    (part) => part.events);
  output.answer({ events }, () => events.length === 0
    ? ['No event is parked.']
    : columns(events.map(({ id, reason, receivedAt, subject, detail }) =>
      [String(id), reason, receivedAt, subject, detail])));
}

/**
 * `platform admin parked-events replay`: processes parked events again; without ids, all parked events. With `--json`,
 * prints `{"accepted": 1, "refused": 0}`. Refused events stay parked.
 * @throws Fault, CommandFault, ConfigError
 */
export async function replayParkedEvents(
  ids: readonly number[], options: ServerOptions, environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(EventAdminServiceService, 'billing-dashboard', options, environment);
  const replaying = step('Processing parked events');
  let [accepted, refused] = [0, 0];
  const replay = async (part: readonly number[], all: number): Promise<void> => {
    const counts = await service.replayParkedEvents({ ids: [...part] }, operatorCall(replayMs));
    accepted += counts.accepted;
    refused += counts.refused;
    replaying.reached(`${accepted + refused} of ${all}`);
  };
  for (let start = 0; start < ids.length; start += replayedAtOnce) {
    await replay(ids.slice(start, start + replayedAtOnce), ids.length);
  }
  if (ids.length === 0) {
    let all: number | undefined;
    await forEachPart(async (after) => {
      const request = { page: 0, limit: replayedAtOnce, after };
      const { events, total, next } = await service.listParkedEvents(request, operatorCall());
      all ??= total;
      if (events.length > 0) await replay(events.map(({ id }) => id), all);
      return next;
    });
  }
  output.answer({ accepted, refused }, () => [`${accepted} events are accepted, ${refused} stay parked.`]);
}
