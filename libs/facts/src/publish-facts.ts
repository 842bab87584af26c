import { Fault } from '@platform/faults';
import { FactServiceService, type FollowRequest, type FollowResponse } from '@platform/proto/facts/v1/facts';
import type { Database } from '@platform/postgres';
import { type CallContext, implement, type Implementation } from '@platform/rpc';
import { type Deadline, deadlineIn, loop, type OpenService, remaining, services } from '@platform/service';
import { createHead, type Head, type Seen } from './head.ts';
import type { Followed } from './follow-facts.ts';
import {
  canResume, forgetDeleted, formatPosition, isBehind, parsePosition, type Position, readFacts, renumberFacts, start,
} from './read-facts.ts';

const pageFacts = 500;
/** Interval at which a stream sends responses while there are no new facts, in milliseconds. */
const heartbeatMs = 6_000;
const readMs = 5_000;
/** The server ends a stream if at most this time is left until the deadline of its call, in milliseconds. */
const endEarlyMs = 1_000;
const forgetEveryMs = 3_600_000;
const forgetAtOnce = 1_000;

/**
 * Implements the FactService of a service. It publishes facts of the kinds that `services` (@platform/service) lists
 * for the service. The schema must have the tables of `sql/publish.sql`. Triggers or statements of the service must
 * call `publish_fact` when published data changes.
 * @param followed the result of {@link followFacts}, for the method CatchUp; undefined if this service follows no facts
 */
export function publishFacts(
  { name, stack, log }: Pick<OpenService, 'name' | 'stack' | 'log'>, database: Database, followed?: Followed,
): Implementation {
  const kinds = services.find((service) => service.name === name)?.publishes ?? [];
  const head = createHead(database);
  stack.use(loop('forgotten facts', forgetEveryMs, async (stopping) => {
    const deadline = (): Deadline => deadlineIn(readMs, stopping);
    while (!stopping.aborted && (await forgetDeleted(database, forgetAtOnce, deadline())) === forgetAtOnce);
  }, log));
  return implement(FactServiceService, {
    follow: (request, context) => follow(database, head, kinds, request, context),
    catchUp: async ({ from }, context) => {
      await followed?.catchUp(from, context);
      return {};
    },
  });
}

async function* follow(
  database: Database, head: Head, published: readonly string[], request: FollowRequest,
  { deadline, cancelled }: Pick<CallContext, 'deadline' | 'cancelled'>,
): AsyncGenerator<FollowResponse, void, undefined> {
  const { kinds } = request;
  const unknown = kinds.find((kind) => !published.includes(kind));
  if (unknown !== undefined) throw invalid('kinds', `must not contain ${unknown}, which this service does not publish`);
  if (kinds.length === 0) throw invalid('kinds', 'must not be empty');
  const reading = (): Deadline => deadlineIn(readMs, cancelled);
  const resumed = await resumedFrom(database, request, reading());
  let after = resumed ?? start;
  let epoch = resumed === undefined ? undefined : request.epoch;
  let saidAt = -Infinity;
  let saidUpToDate = false;
  while (remaining(deadline) > endEarlyMs) {
    const { heard } = head;
    const page = await readFacts(database, { kinds, after, limit: pageFacts }, reading());
    // The epoch has changed, for example after a restore from a backup. End the stream: the follower calls again.
    if (epoch !== undefined && page.epoch !== epoch) return;
    const isDue = performance.now() - saidAt >= heartbeatMs;
    if (page.facts.length > 0 || isDue || page.isUpToDate !== saidUpToDate) {
      yield {
        epoch: page.epoch, fromStart: epoch === undefined, facts: [...page.facts],
        position: formatPosition(page.position), upToDate: page.isUpToDate,
      };
      [epoch, after] = [page.epoch, page.position];
      [saidAt, saidUpToDate] = [performance.now(), page.isUpToDate];
    }
    const seen = { heard, isWaiting: !page.isUpToDate };
    if (!page.isFull) await somethingNew(head, after, { ...seen, until: saidAt + heartbeatMs }, cancelled);
  }
}

/** Waits for facts after a position, until the time `until` on the monotonic clock, or until the stream ends. */
async function somethingNew(
  head: Head, after: Position, { until, ...seen }: Seen & { readonly until: number }, cancelled: AbortSignal,
): Promise<void> {
  const heartbeat = deadlineIn(Math.max(0, until - performance.now()) + 1, cancelled);
  for (let { heard } = seen; performance.now() < until;) {
    const newest = await head.next({ ...seen, heard }, heartbeat.signal);
    if (newest === undefined || isBehind(after, newest.position)) return;
    heard = newest.heard;
  }
}

/** Returns the position to continue from; undefined if the follower must read all facts. @throws Fault INVALID_VALUE */
async function resumedFrom(
  database: Database, { epoch, position }: FollowRequest, deadline: Deadline,
): Promise<Position | undefined> {
  if (epoch !== '') {
    const given = parsePosition(position);
    if (given === undefined) throw invalid('position', 'must be a position that this service returned');
    if (await canResume(database, { epoch, position: given }, deadline)) return given;
  }
  await renumberFacts(database, deadline);
  return undefined;
}

function invalid(path: string, message: string): Fault {
  return new Fault('INVALID_VALUE', `${path}: ${message}`, { violations: [{ path, message }] });
}
