import type { IncomingMessage, ServerResponse } from 'node:http';
import { CallerGone, type Limits, parseQuery, readToken } from '@platform/http';
import {
  type CallersMemory, Fault, isRateLimited, type RateLimiter, type Replicas, sourceOf, tokenRequired, translate,
} from '@platform/rpc';
import { deadlineIn, type Logger } from '@platform/service';
import type { Endpoint } from './endpoint/endpoint.ts';
import type { Message } from './json/decode-message.ts';
import type { Outcome, Refuse } from './outcome.ts';
import type { Hit } from './routing/route-table.ts';
import { leavesTooMuch, takeBody } from './take-body.ts';
import { callEntries } from './upstream.ts';

/** What all calls share. */
export interface CallEnvironment {
  readonly limits: Limits;
  readonly memory: CallersMemory;
  readonly rateLimiter: RateLimiter;
  readonly baseUrl: () => string;
  readonly refuse: Refuse;
  readonly log: Logger;
}

/** A request that found its endpoint. */
export interface EndpointRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Where it comes from. */
  readonly address: string;
  readonly endpoint: Endpoint;
  readonly replicas: Replicas;
  readonly parameters: Hit<unknown>['parameters'];
  readonly path: string;
  readonly rawQuery: string;
}

/**
 * Translates a request into its call, and the response into the answer. In the order of open-points 1.5: what does not
 * fit is sent along instead of being answered, so that the service's guard refuses on access first.
 * @throws CallerGone
 */
export async function callEndpoint(found: EndpointRequest, environment: CallEnvironment): Promise<Outcome> {
  const { request, requestId, address, endpoint, parameters } = found;
  const { limits, memory, rateLimiter, baseUrl, refuse } = environment;
  const { route, method: { statuses } } = endpoint;
  const source = sourceOf(address);
  const deadline = deadlineIn(limits.requestMs);
  const query = parseQuery(found.rawQuery);
  const token = endpoint.ignoresCaller ? undefined : readToken(request.rawHeaders, query);
  if (token instanceof Fault) return refuseUnread(limitFailed(token));
  const limited = token === undefined && isRateLimited(endpoint.method) ? rateLimiter.anonymous(address) : undefined;
  if (limited) return refuseUnread(limited);
  if (token === undefined && endpoint.needsToken) return refuseUnread(tokenRequired());

  const message: Message = {};
  const faults = endpoint.parameters.read(parameters, query, message);
  const body = await takeBody(found, endpoint.body, message, { limits, memory, source });
  const { close } = body;
  try {
    if (body.answerNow) return refuse(body.answerNow, requestId, route, { close, statuses });
    const page = endpoint.answer.paging?.settle(message);
    const entries = callEntries({ token, parameterFault: faults.access, bodyFault: body.fault ?? faults.other });
    const context = { deadline, requestId, cancelled: whenGone(found.response) };
    const response = await found.replicas.call(endpoint.call, message, context, entries);
    const answer = endpoint.answer.write(response, {
      headers: request.headers,
      query,
      url: baseUrl() + found.path,
      page,
    });
    if (endpoint.deprecation) answer.headers.push(...endpoint.deprecation(parameters, baseUrl()));
    return { answer, route, close };
  } catch (error) {
    if (error instanceof CallerGone) throw error;
    const fault = translate(error);
    if (fault.reason === 'INTERNAL') {
      environment.log.error({ requestId, route, error: fault.cause ?? fault }, 'request failed');
    }
    return refuse(token === undefined ? fault : limitFailed(fault), requestId, route, { close, statuses });
  } finally {
    memory.give(body.held, source);
  }

  /** Refuses without waiting for the body. */
  function refuseUnread(fault: Fault): Outcome {
    return refuse(fault, requestId, route, { close: leavesTooMuch(request), statuses });
  }

  /** Refused credentials count against their source; once it has used up its share it is told that instead. */
  function limitFailed(fault: Fault): Fault {
    return (fault.reason === 'UNAUTHENTICATED' && rateLimiter.failedCredentials(address)) || fault;
  }
}

function whenGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  // He may have gone while the body was read, or before the request had its turn.
  if (response.destroyed) gone.abort();
  response.once('close', () => {
    if (!response.writableEnded) gone.abort();
  });
  return gone.signal;
}
