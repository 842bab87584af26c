import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Answer, type AnswerStream, createAccessLog, errorAnswer, hasBody, headFault, type HttpHandler, type Limits,
  mainErrors, notFoundAnswer, splitTarget, writeAnswer,
} from '@platform/http';
import { AddressRefused, type Outbound, Unreachable } from '@platform/outbound';
import {
  Fault, type Guard, notFound, type RateLimiter, requestIdOf, type SourceAddress, translate,
} from '@platform/rpc';
import { DeadlineExceeded, deadlineIn, type Logger, type Metrics } from '@platform/service';
import type { Method } from '@platform/surface';
import { tenantOf } from '../hook/authorize.ts';
import { identityText, parseIdentity } from '../identity.ts';
import { proxyToken } from './credential.ts';
import type { FindRoute } from './find-route.ts';
import { headersToBackend, headersToClient } from './headers.ts';
import { backendUrl, proxyTarget } from './proxy-target.ts';

export interface ProxyOptions {
  readonly guard: Guard;
  /** The method of the hook: its access rule is that of the data path. */
  readonly hook: Method;
  readonly findRoute: FindRoute;
  readonly outbound: Outbound;
  readonly tenantPrefix: string;
  /** Path of `metricsproxy.publicURL`. */
  readonly prefix: string;
  readonly baseUrl: string;
  readonly limits: Limits;
  readonly rateLimiter: RateLimiter;
  readonly sourceAddress: SourceAddress;
  readonly log: Logger;
  readonly metrics: Metrics;
}

const route = '/{identity}/{path=**}';
/** A whole query, its answer included, in milliseconds. */
const longestMs = 60_000;
/** Queries of one identity at once, in this replica. */
const mostAtOnce = 200;

/**
 * The data path: `{publicURL}/{identity}/api/v1/…` (open-points 9.1). The guard admits the caller as on the hook. The
 * request then goes to the backend with the backend's own credentials, and the answer comes back as it arrives.
 */
export function createProxyHandler(options: ProxyOptions): HttpHandler {
  const { guard, hook, limits, log, rateLimiter } = options;
  const errors = mainErrors(() => options.baseUrl);
  const logAccess = createAccessLog(log, options.metrics);
  const atOnce = new Map<string, number>();
  let [draining, begun, underWay] = [false, 0, 0];
  let becameIdle: (() => void) | undefined;

  /** Answers a request, or throws the refusal. */
  async function serve(
    request: IncomingMessage, response: ServerResponse, requestId: string, address: string, cancelled: AbortSignal,
  ): Promise<Answer> {
    const fault = headFault(request, limits);
    if (fault) throw fault;
    const { path, rawQuery } = splitTarget(request.url ?? '/');
    const target = proxyTarget(options.prefix, path);
    if (target === undefined) return notFoundAnswer();
    const { method = '' } = request;
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
      const notAllowed = new Fault('METHOD_NOT_ALLOWED', 'this path allows GET, HEAD, POST');
      const answer = errorAnswer(notAllowed, requestId, errors);
      return { ...answer, headers: [...answer.headers, ['Allow', 'GET, HEAD, POST']] };
    }
    const token = proxyToken(request.rawHeaders, rawQuery);
    if (token instanceof Fault) throw limitFailed(token, address);
    const identity = parseIdentity(target.identity);
    const key = identity === undefined ? '' : identityText(identity);
    const count = atOnce.get(key) ?? 0;
    if (count >= mostAtOnce) {
      throw new Fault('RATE_LIMITED', `${mostAtOnce} queries of this identity are under way`, { retryAfterSeconds: 1 });
    }
    atOnce.set(key, count + 1);
    const done = once(() => {
      const left = atOnce.get(key)! - 1;
      if (left === 0) atOnce.delete(key);
      else atOnce.set(key, left);
    });
    response.once('close', done);
    const deadline = deadlineIn(longestMs, cancelled);
    const parameterFault = identity === undefined
      ? new Fault('INVALID_PARAMETER', 'the identity must be {owner}.{cluster} or {owner}.{cluster}.{project}')
      : undefined;
    const call = {
      deadline, requestId, cancelled, token, log, parameterFault,
      bodyFault: undefined, isRepeat: false, serviceCredential: undefined, certificate: undefined,
    };
    const [admitted, access] = await Promise.all([
      guard.admit(hook, { uidcid: key, path: target.path }, call).catch((error: unknown) => {
        throw error instanceof Fault && token !== undefined ? limitFailed(error, address) : error;
      }),
      identity === undefined ? undefined : options.findRoute(key, deadline),
    ]);
    if (access === undefined) throw notFound('no metrics backend is registered for the identity');
    const tenant = tenantOf(options.tenantPrefix, admitted.account!.id);
    // A client that sent `Expect: 100-continue` waits for this before it sends the body.
    if (request.headers.expect !== undefined) response.writeContinue();
    return await ask(request, backendUrl(access.url, target.path, rawQuery), {
      headers: headersToBackend(request.headers, { tenant, authorization: access.authorization }),
      deadline,
      ...(access.tls && { tls: access.tls }),
    });
  }

  async function ask(
    request: IncomingMessage, url: URL, sent: Pick<Parameters<Outbound['send']>[1], 'headers' | 'deadline' | 'tls'>,
  ): Promise<Answer> {
    const body = hasBody(request) ? { body: request } : {};
    const answer = await options.outbound.send(url, { method: request.method!, ...sent, ...body }).catch((error) => {
      throw backendFault(error);
    });
    const isRedirect = answer.status >= 300 && answer.status < 400 && answer.status !== 304;
    if (isRedirect || answer.status < 200) {
      answer.body.destroy();
      throw new Fault('BAD_UPSTREAM', `the metrics backend answered with status ${answer.status}`);
    }
    const stream: AnswerStream = {
      [Symbol.asyncIterator]: () => answer.body[Symbol.asyncIterator]() as AsyncIterator<Buffer>,
      end: async () => void answer.body.destroy(),
    };
    return { status: answer.status, headers: headersToClient(answer.headers), body: stream };
  }

  /** Refused credentials count against their source. */
  function limitFailed(fault: Fault, address: string): Fault {
    return (fault.reason === 'UNAUTHENTICATED' && rateLimiter.failedCredentials(address)) || fault;
  }

  function refused(error: unknown, requestId: string): { answer: Answer; reason: string } {
    const fault = error instanceof Fault ? error : translate(error);
    if (fault.reason === 'INTERNAL') log.error({ requestId, error: fault.cause ?? fault }, 'request failed');
    return { answer: errorAnswer(fault, requestId, errors, hook.statuses), reason: fault.reason };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const begunAt = performance.now();
    const requestId = requestIdOf(request.headers['x-request-id']);
    const forwarded = request.headers['x-forwarded-for'];
    const address = options.sourceAddress(request.socket.remoteAddress ?? '', forwarded?.toString());
    const cancelled = whenGone(response);
    const { answer, reason } = await serve(request, response, requestId, address, cancelled)
      .then((served) => ({ answer: served, reason: undefined }), (error: unknown) => refused(error, requestId));
    const gone = response.destroyed;
    // What is left of the body is read no further after a refusal.
    const close = draining || (hasBody(request) && !request.complete);
    await writeAnswer(request, response, answer, { requestId, close }).catch((error: unknown) => {
      log.info({ requestId, error }, 'the answer of a metrics backend was cut');
      response.destroy();
    });
    const status = gone ? 499 : answer.status;
    logAccess({ request, requestId, address, route, status, seconds: (performance.now() - begunAt) / 1_000, reason });
  }

  return {
    handle: (request, response) => {
      begun += 1;
      underWay += 1;
      handle(request, response)
        .catch((error: unknown) => {
          log.error({ error }, 'request failed');
          response.destroy();
        })
        .finally(() => {
          underWay -= 1;
          if (underWay === 0) becameIdle?.();
        });
    },
    refuseUnread: ({ requestId, fault }) =>
      fault === undefined ? notFoundAnswer() : errorAnswer(fault, requestId, errors),
    drain: () => {
      draining = true;
    },
    get begun() {
      return begun;
    },
    get underWay() {
      return underWay;
    },
    idle: () => (underWay === 0 ? Promise.resolve() : new Promise((resolve) => {
      becameIdle = resolve;
    })),
  };
}

/** A backend that is down or refused is 502, a slow one 504 (open-points 9.1). */
function backendFault(error: unknown): unknown {
  if (error instanceof AddressRefused || error instanceof Unreachable) {
    return new Fault('BAD_UPSTREAM', 'the metrics backend cannot be reached', { cause: error });
  }
  if (error instanceof DeadlineExceeded) {
    return new Fault('DEADLINE_EXCEEDED', 'the metrics backend did not answer in time', { cause: error });
  }
  return error;
}

function whenGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
}

