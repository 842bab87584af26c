import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Answer, CallerGone, createAccessLog, type ErrorFormat, headFault, type HttpHandler, isStream, type Limits,
  notFoundAnswer, type PassOn, splitTarget, writeAnswer, type WriteOptions,
} from '@platform/http';
import { CallersMemory, Fault, type RateLimiter, requestIdOf, type SourceAddress, translate } from '@platform/rpc';
import { type Logger, type Metrics, noMetrics, withSpan } from '@platform/service';
import type { Deployment, Surface } from '@platform/surface';
import { callEndpoint } from './call-endpoint.ts';
import { type Outcome, type Refusal, refusingIn, unmatched } from './outcome.ts';
import { compileRoutes, type LocalRoute, type OwnRoutes } from './routes.ts';
import type { Upstream } from './upstream.ts';

export interface RestHandlerOptions extends OwnRoutes {
  readonly surface: Surface;
  readonly deployment: Deployment;
  readonly upstream: Upstream;
  /** Answers a path of its own for every method, before the route table is asked; undefined for all other paths. */
  readonly fallback?: (path: string) => LocalRoute | undefined;
  /** Paths that a service answers itself, by their prefix (`/metrics-proxy/`). */
  readonly passes?: ReadonlyMap<string, PassOn>;
  readonly limits: Limits;
  readonly rateLimiter: RateLimiter;
  readonly sourceAddress: SourceAddress;
  readonly errors: ErrorFormat;
  /** `{base_url}` of open-points; known once the server listens. */
  readonly baseUrl: () => string;
  readonly log: Logger;
  readonly metrics?: Metrics;
  /** Called after each request with its route template and status (499: the caller was gone). */
  readonly onAnswered?: ((route: string, status: number) => void) | undefined;
}

/** Translates HTTP requests into calls of the bound methods. @throws Error for a method that cannot be served */
export function createRestHandler(options: RestHandlerOptions): HttpHandler {
  const { limits, log } = options;
  const table = compileRoutes(options.surface, options.deployment, options.upstream, options);
  const metrics = options.metrics ?? noMetrics;
  const logAccess = createAccessLog(log, metrics);
  const memory = new CallersMemory(limits.bodiesInMemory);
  metrics.observed(
    { name: 'http_bodies_in_memory_bytes', help: 'Bytes of request bodies in memory.' },
    () => memory.held,
  );
  metrics.observed({ name: 'http_requests_in_flight', help: 'Requests that are not answered yet.' }, () => underWay);
  const refuse = refusingIn(options.errors);
  const environment = { ...options, memory, refuse };
  let draining = false;
  let begun = 0;
  let underWay = 0;
  let becameIdle: (() => void) | undefined;

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    address: string,
  ): Promise<Outcome> {
    const fault = headFault(request, limits);
    if (fault) return refuse(fault, requestId, unmatched, { close: true });
    const { path, rawQuery } = splitTarget(request.url ?? '/');
    for (const [prefix, passOn] of options.passes ?? []) {
      if (!path.startsWith(prefix)) continue;
      return await passOn(request, response, { requestId, address }).then(
        (answer) => ({ answer, route: prefix }),
        (error: unknown) => {
          if (error instanceof CallerGone) throw error;
          return refuse(translate(error), requestId, prefix, { close: true });
        },
      );
    }
    const fallback = options.fallback?.(path);
    if (fallback) return { answer: await fallback.answer(), route: fallback.path };
    const { method = '' } = request;
    const match = table.match(path);
    if (!match) return { answer: notFoundAnswer(), route: unmatched };
    if (method === 'OPTIONS') {
      return { answer: { status: 204, headers: [['Allow', match.allow]], body: '' }, route: unmatched };
    }
    const hit = match.hit(method);
    if (!hit) return notAllowed(match.allow, requestId);
    const { target, parameters } = hit;
    if (target.kind === 'local') {
      const { local } = target;
      const limited = local.unlimited ? undefined : options.rateLimiter.anonymous(address);
      return limited ? refuse(limited, requestId, local.path) : { answer: await local.answer(), route: local.path };
    }
    const found = { request, response, requestId, address, ...target, parameters, path, rawQuery };
    const { route } = target.endpoint;
    const attributes = { 'http.request.method': method, 'http.route': route, 'platform.request_id': requestId };
    return withSpan(`${method} ${route}`, { kind: 'server', from: traceOf(request), attributes }, async (span) => {
      const outcome = await callEndpoint(found, environment);
      const { status } = outcome.answer;
      span.set({ 'http.response.status_code': status, 'error.type': outcome.reason });
      if (status >= 500) span.fail(outcome.reason ?? String(status));
      return outcome;
    });
  }

  function notAllowed(allow: string, requestId: string): Refusal {
    const refused = refuse(new Fault('METHOD_NOT_ALLOWED', `this path allows ${allow}`), requestId, unmatched);
    refused.answer.headers.push(['Allow', allow]);
    return refused;
  }

  function unknownMethod(target: string, requestId: string): Pick<Refusal, 'answer' | 'route'> & Partial<Refusal> {
    const match = table.match(splitTarget(target).path);
    return match ? notAllowed(match.allow, requestId) : { answer: notFoundAnswer(), route: unmatched };
  }

  return {
    refuseUnread: ({ requestId, peer, method, target = '', fault }) => {
      const { answer, route, reason } = fault ? refuse(fault, requestId, unmatched) : unknownMethod(target, requestId);
      const request = { method, url: target };
      const address = options.sourceAddress(peer, undefined);
      logAccess({ request, requestId, address, route, status: answer.status, seconds: 0, reason });
      options.onAnswered?.(route, answer.status);
      return answer;
    },
    handle: (request, response) => {
      const begunAt = performance.now();
      const requestId = requestIdOf(request.headers['x-request-id']);
      const address = options.sourceAddress(request.socket.remoteAddress ?? '', forwardedFor(request));
      begun += 1;
      underWay += 1;
      const write = async (answer: Answer, how: WriteOptions) => {
        try {
          await writeAnswer(request, response, answer, how);
        } catch (error) {
          log.error({ requestId, error }, 'the answer could not be written');
          if (response.headersSent) return;
          // A service returned a value that no HTTP header can hold.
          const { answer: refused } = refuse(translate(error), requestId, unmatched);
          await writeAnswer(request, response, refused, { ...how, close: true });
        }
      };
      const finish = async ({ answer, route, reason, close = false }: Outcome, gone: boolean) => {
        if (!gone) await write(answer, { requestId, close: close || draining });
        else if (isStream(answer.body)) await answer.body.end();
        const seconds = (performance.now() - begunAt) / 1000;
        const status = gone ? 499 : answer.status;
        logAccess({ request, requestId, address, route, status, seconds, reason });
        options.onAnswered?.(route, status);
        underWay -= 1;
        if (underWay === 0) becameIdle?.();
      };
      serve(request, response, requestId, address).then(
        (outcome) => finish(outcome, response.destroyed),
        (error: unknown) => {
          const gone = error instanceof CallerGone;
          if (!gone) log.error({ requestId, error }, 'request failed');
          return finish(refuse(translate(error), requestId, unmatched, { close: true }), gone);
        },
      ).catch((error: unknown) => log.error({ requestId, error }, 'request failed'));
    },
    drain: () => {
      draining = true;
    },
    get begun() {
      return begun;
    },
    get underWay() {
      return underWay;
    },
    idle: () =>
      underWay === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            becameIdle = resolve;
          }),
  };
}

function forwardedFor({ headers }: IncomingMessage): string | undefined {
  const forwarded = headers['x-forwarded-for'];
  return Array.isArray(forwarded) ? forwarded.join(',') : forwarded;
}

function traceOf({ headers }: IncomingMessage) {
  const { traceparent, tracestate } = headers;
  return {
    ...(typeof traceparent === 'string' ? { traceparent } : {}),
    ...(typeof tracestate === 'string' ? { tracestate } : {}),
  };
}
