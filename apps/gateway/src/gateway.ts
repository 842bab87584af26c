import type { IncomingMessage, ServerResponse } from 'node:http';
import { CallersMemory, Fault, type RateLimiter, requestIdOf, type SourceAddress, translate } from '@platform/rpc';
import { type Logger, type Metrics, noMetrics, type Readiness, withSpan } from '@platform/service';
import { type Deployment, isMarketplace, type Surface } from '@platform/surface';
import { callEndpoint } from './call-endpoint.ts';
import type { Answer } from './endpoint/answer.ts';
import { homePage } from './home-page.ts';
import { notFoundAnswer } from './http/error-answer.ts';
import type { Requests } from './http/end-server.ts';
import type { Unread } from './http/http-server.ts';
import { CallerGone } from './http/read-body.ts';
import { headFault } from './http/request-head.ts';
import { splitTarget } from './http/request-target.ts';
import { writeAnswer, type WriteOptions } from './http/write-answer.ts';
import type { Limits } from './limits/limits.ts';
import { createObserver } from './observe.ts';
import { type Outcome, refusingAt, unmatched } from './outcome.ts';
import type { Page } from './page.ts';
import type { RecentRequests } from './recent-requests.ts';
import { compileRoutes } from './routes.ts';
import type { Upstream } from './upstream.ts';

export interface GatewayOptions {
  readonly surface: Surface;
  readonly deployment: Deployment;
  readonly upstream: Upstream;
  /** Routes of the gateway's own. */
  readonly pages: readonly Page[];
  readonly limits: Limits;
  readonly rateLimiter: RateLimiter;
  readonly sourceAddress: SourceAddress;
  /** `{base_url}` of open-points; known once the server listens. */
  readonly baseUrl: () => string;
  readonly version: string;
  readonly readiness: Readiness;
  readonly log: Logger;
  readonly metrics?: Metrics;
  /** Told of each request as well. */
  readonly recent?: RecentRequests | undefined;
}

/** The generic gateway: turns every bound method into a route and translates. */
export interface Gateway extends Requests {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** The answer to what Node's parser does not take for a request, or hands over in another way. */
  refuseUnread(unread: Unread): Answer;
  /** From now on every answer is its connection's last. */
  drain(): void;
}

/** Compiles all routes. Throws for everything in the API that could not be served. */
export function createGateway(options: GatewayOptions): Gateway {
  const { limits, log } = options;
  const table = compileRoutes(options.surface, options.deployment, options.upstream, options.pages);
  const listenerDeployed = isMarketplace(options.deployment);
  const metrics = options.metrics ?? noMetrics;
  const observe = createObserver(log, metrics);
  const memory = new CallersMemory(limits.bodiesInMemory);
  metrics.observed(
    { name: 'http_bodies_in_memory_bytes', help: 'Bytes of request bodies held at the moment.' },
    () => memory.held,
  );
  metrics.observed({ name: 'http_requests_in_flight', help: 'Requests under way.' }, () => underWay);
  const refuse = refusingAt(options.baseUrl);
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
    if (!listenerDeployed && (path === '/marketplace' || path.startsWith('/marketplace/'))) {
      const { ready } = await options.readiness.report();
      return { answer: homePage({ version: options.version, isUp: ready }), route: '/marketplace/' };
    }
    const { method = '' } = request;
    const match = table.match(path);
    if (!match) return { answer: notFoundAnswer(), route: unmatched };
    if (method === 'OPTIONS') {
      return { answer: { status: 204, headers: [['Allow', match.allow]], body: '' }, route: unmatched };
    }
    const hit = match.hit(method);
    if (!hit) return notAllowed(match.allow, requestId);
    const { target, parameters } = hit;
    if (target.kind === 'page') {
      const { page } = target;
      const limited = page.unlimited ? undefined : options.rateLimiter.anonymous(address);
      return limited ? refuse(limited, requestId, page.path) : { answer: await page.answer(), route: page.path };
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

  function notAllowed(allow: string, requestId: string): Outcome {
    const refused = refuse(new Fault('METHOD_NOT_ALLOWED', `this path has ${allow}`), requestId, unmatched);
    refused.answer.headers.push(['Allow', allow]);
    return refused;
  }

  function otherMethod(target: string, requestId: string): Outcome {
    const match = table.match(splitTarget(target).path);
    return match ? notAllowed(match.allow, requestId) : { answer: notFoundAnswer(), route: unmatched };
  }

  return {
    refuseUnread: ({ requestId, peer, method, target = '', fault }) => {
      const { answer, route, reason } = fault ? refuse(fault, requestId, unmatched) : otherMethod(target, requestId);
      const request = { method, url: target };
      const address = options.sourceAddress(peer, undefined);
      observe({ request, requestId, address, route, status: answer.status, seconds: 0, reason });
      options.recent?.count(route, answer.status);
      return answer;
    },
    handle: (request, response) => {
      const begunAt = performance.now();
      const requestId = requestIdOf(request.headers['x-request-id']);
      const address = options.sourceAddress(request.socket.remoteAddress ?? '', forwardedFor(request));
      begun += 1;
      underWay += 1;
      const write = (answer: Answer, how: WriteOptions) => {
        try {
          writeAnswer(request, response, answer, how);
        } catch (error) {
          // A service gave a header no HTTP header can hold; nothing has been sent yet.
          log.error({ requestId, error }, 'answer could not be written');
          writeAnswer(request, response, refuse(translate(error), requestId, unmatched).answer, {
            ...how,
            close: true,
          });
        }
      };
      const finish = ({ answer, route, reason, close = false }: Outcome, gone: boolean) => {
        if (!gone) write(answer, { requestId, close: close || draining });
        const seconds = (performance.now() - begunAt) / 1000;
        const status = gone ? 499 : answer.status;
        observe({ request, requestId, address, route, status, seconds, reason });
        options.recent?.count(route, status);
        underWay -= 1;
        if (underWay === 0) becameIdle?.();
      };
      serve(request, response, requestId, address).then(
        (outcome) => finish(outcome, response.destroyed),
        (error: unknown) => {
          const gone = error instanceof CallerGone;
          if (!gone) log.error({ requestId, error }, 'request failed');
          finish(refuse(translate(error), requestId, unmatched, { close: true }), gone);
        },
      );
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
