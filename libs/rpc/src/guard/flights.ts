import type { Principal } from '@platform/proto/orgs/v1/identity';
import type { Grounds } from '@platform/relations';
import { deadlineIn, DeadlineExceeded, shrink, within } from '@platform/service';
import type { OutgoingContext } from '../call-context.ts';
import { unavailable } from '../faults/fault.ts';
import { translate } from '../faults/translate.ts';
import type { Decisions } from './decisions.ts';
import type { GuardMetrics } from './guard-metrics.ts';
import type { GuardSources } from './guard-sources.ts';
import { createTurns } from './turns.ts';

/** A call for which something is decided. */
export interface Asking extends OutgoingContext {
  readonly callerId: number;
}

/** What came of a miss: on what the principal stands, or that the rows have moved and are to be read again. */
export type Outcome = { grounds: Grounds } | 'decide anew';

/** Flights one caller may have under way; whatever else he misses waits for its turn (authorization.md, read path). */
export const flightsPerCaller = 2;
/** How long a flight may take, whoever waits for it: five calls of the engine. */
const flightMs = 5_000;

/**
 * R5 of authorization.md: asks the engine and keeps what it confirms. One flight per principal, revision and class;
 * who misses the same decision meanwhile waits for it. A flight has a deadline of its own, so that one caller who gives
 * up takes nothing from the others.
 * @throws Fault UNAVAILABLE when the engine, or the caller's deadline, leaves the decision open
 */
export function createFlights(
  sources: GuardSources,
  kept: Decisions,
  counts: GuardMetrics,
): (organizationId: number, principal: Principal, call: Asking) => Promise<Outcome> {
  const flights = new Map<string, Promise<Outcome>>();
  const turns = createTurns(flightsPerCaller, 'the turn to ask the authorization engine');

  async function fly(organizationId: number, principal: Principal, call: OutgoingContext): Promise<Outcome> {
    if (principal.pending) {
      await sources.settle({ organizationId }, call);
      return 'decide anew';
    }
    counts.asked();
    const answer = await sources.ask({ principal: principal.user, organizationId }, call);
    if (answer.fence === '') {
      await sources.reportLostStore({ organizationId }, call);
      await sources.settle({ organizationId }, call);
      return 'decide anew';
    }
    // Read after the answer: unchanged means that the store held the state of this revision when it was asked.
    if ((await revisionNow(organizationId, principal, call)) !== principal.revision) return 'decide anew';
    const grounds = new Set(answer.grounds);
    kept.keep(principal.user, principal.revision, answer.modelId, grounds);
    return { grounds };
  }

  async function revisionNow(organizationId: number, { user }: Principal, call: OutgoingContext) {
    const request = { token: call.token ?? '', slugs: [], organizationIds: [organizationId] };
    const { organizations } = await sources.standing(request, call);
    const standing = organizations.find(({ id }) => id === organizationId);
    return standing?.principals.find((candidate) => candidate.user === user)?.revision;
  }

  function start(key: string, organizationId: number, principal: Principal, call: Asking): Promise<Outcome> {
    const { requestId, token, log } = call;
    const own = { deadline: deadlineIn(flightMs), requestId, token, ...(log && { log }) };
    const flight = fly(organizationId, principal, own).finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  }

  async function landed(organizationId: number, principal: Principal, call: Asking): Promise<Outcome> {
    const key = `${principal.user} ${principal.revision} ${principal.pending}`;
    const underWay = flights.get(key);
    if (underWay) return join(underWay);
    return turns.run(call.callerId, call.deadline, async () => {
      // Somebody may have been quicker while this caller waited for his turn.
      const grounds = kept.get(principal.user, principal.revision);
      if (grounds) return { grounds };
      const quicker = flights.get(key);
      return quicker ? join(quicker) : start(key, organizationId, principal, call);
    });
  }

  return async (organizationId, principal, call) => {
    try {
      return await within(shrink(call.deadline), landed(organizationId, principal, call), 'the authorization engine');
    } catch (error) {
      if (error instanceof DeadlineExceeded) throw unavailable('authorization', error);
      throw error;
    }
  };
}

/**
 * Waits for what another caller has asked. That the engine does not answer is true for both; every other failure, such
 * as a token revoked meanwhile, is the other one's own.
 */
async function join(flight: Promise<Outcome>): Promise<Outcome> {
  try {
    return await flight;
  } catch (error) {
    if (translate(error).reason === 'UNAVAILABLE') throw error;
    return 'decide anew';
  }
}
