import type { Principal } from '@platform/proto/orgs/v1/identity';
import type { Grounds } from '@platform/relations';
import { deadlineIn, DeadlineExceeded, shrink, within } from '@platform/service';
import type { OutgoingContext } from '../call-context.ts';
import { translate, unavailable } from '@platform/faults';
import { createCallerLimiter } from '@platform/limits';
import type { Decisions } from './decisions.ts';
import type { GuardMetrics } from './guard-metrics.ts';
import { type GuardSources, standingNow } from './guard-sources.ts';

export interface Asking extends OutgoingContext {
  readonly callerId: number;
}

/**
 * The grounds of the principal, or `decide again` if the decision must begin again, for example because the revision of
 * the principal has changed.
 */
type Outcome = { grounds: Grounds } | 'decide again';

/** Maximum concurrent questions to the engine per caller. Further questions wait (authorization.md, read path). */
export const flightsPerCaller = 2;
/** Time limit for getting the grounds of one principal, in milliseconds. */
const flightMs = 5_000;

/**
 * Creates the function that asks the engine for the grounds of a principal (authorization.md R5). If the principal's
 * revision has not changed by the end of the question, the function keeps the answer. Callers who need the same grounds
 * at the same time share a question, so each question has its own deadline.
 * @throws Fault UNAVAILABLE if the engine does not answer or the caller's deadline passes; otherwise the Faults of
 *   `sources`
 */
export function createFlights(
  sources: GuardSources, kept: Decisions, counts: GuardMetrics,
): (organizationId: number, principal: Principal, call: Asking) => Promise<Outcome> {
  const flights = new Map<string, Promise<Outcome>>();
  const limiter = createCallerLimiter(flightsPerCaller, 'the authorization engine');

  async function fly(organizationId: number, principal: Principal, call: OutgoingContext): Promise<Outcome> {
    if (principal.pending) {
      await sources.settle({ organizationId }, call);
      return 'decide again';
    }
    counts.asked();
    const answer = await sources.ask({ principal: principal.user, organizationId }, call);
    if (answer.fence === '') {
      await sources.reportLostStore({ organizationId }, call);
      await sources.settle({ organizationId }, call);
      return 'decide again';
    }
    // Read the revision after the answer. If the revision is unchanged, the answer belongs to it.
    const standing = await standingNow(sources, organizationId, call);
    const now = standing?.principals.find(({ user }) => user === principal.user);
    if (now?.revision !== principal.revision) return 'decide again';
    const grounds = new Set(answer.grounds);
    kept.keep(principal.user, principal.revision, answer.modelId, grounds);
    return { grounds };
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
    return limiter.run(call.callerId, call.deadline, async () => {
      // Another call may have asked the same question while this call waited.
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
 * Waits for the answer to another call's question. If the other call fails with UNAVAILABLE, throws its error, because
 * the error concerns both calls. Any other failure, such as a revoked token, concerns only the other call. This call
 * then decides again.
 */
async function join(flight: Promise<Outcome>): Promise<Outcome> {
  try {
    return await flight;
  } catch (error) {
    if (translate(error).reason === 'UNAVAILABLE') throw error;
    return 'decide again';
  }
}
