import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { translate } from '@platform/faults';
import {
  allowAnswer, CallerGone, type CookieRules, cookieRules, createHandler, type ErrorFormat, type HttpHandler, isArriving,
  type Limits, methodNotAllowed, notFoundAnswer, type Outcome, type PassOn, readSessionCookie, type Received,
  refusingIn, type Router, splitTarget, throughRouter, unmatched,
} from '@platform/http';
import { CallersMemory, type RateLimiter, type SourceAddress } from '@platform/limits';
import { type Logger, type Metrics, noMetrics, withSpan } from '@platform/service';
import type { Deployment, Surface } from '@platform/surface';
import { callEndpoint } from './call-endpoint.ts';
import { compileRoutes } from './routes.ts';
import { Turns } from './turns.ts';
import type { Upstream } from './upstream.ts';

export interface RestHandlerOptions {
  readonly surface: Surface;
  readonly deployment: Deployment;
  readonly upstream: Upstream;
  /** Whether this server serves methods with this path template; default: all. */
  readonly serves?: (template: string) => boolean;
  /** Path prefixes (`/metrics-proxy/`) whose requests are passed on to a service. */
  readonly passes?: ReadonlyMap<string, Passed>;
  /** The server's own pages, for paths that no method has and that are not passed on ({@link throughRouter}). */
  readonly pages?: Router;
  readonly limits: Limits;
  readonly rateLimiter: RateLimiter;
  readonly sourceAddress: SourceAddress;
  /** Whether another server of the platform sent the request. If so, `X-Forwarded-For` is trusted. Default: never. */
  readonly isPassedOn?: (headers: IncomingHttpHeaders) => boolean;
  readonly errors: ErrorFormat;
  /** Address at which clients reach the server (`{base_url}` in open-points); known once the server listens. */
  readonly baseUrl: () => string;
  readonly log: Logger;
  readonly metrics?: Metrics;
}

/** How the requests under a path prefix are passed on to a service that answers them itself. */
interface Passed {
  readonly passOn: PassOn;
  /** Whether the service gets this path; default: it gets all paths under the prefix. */
  readonly takes?: ((path: string) => boolean) | undefined;
  /** Whether requests under this prefix may use the session cookie (open-points 18.3). */
  readonly takesSession?: boolean;
  /** Format of refusals by this server on these paths; default: `errors` of the server. */
  readonly errors?: ErrorFormat | undefined;
}

/** Translates HTTP requests into calls of methods with a REST binding. @throws Error if a method cannot be served */
export function createRestHandler(options: RestHandlerOptions): HttpHandler {
  const { limits, log } = options;
  const table = compileRoutes(options.surface, options.deployment, options.upstream, options.serves);
  const metrics = options.metrics ?? noMetrics;
  const memory = new CallersMemory(limits.bodiesInMemory);
  metrics.observed({
    name: 'http_bodies_in_memory_bytes', help: 'Bytes of request bodies in memory.',
  }, () => memory.held);
  const refuse = refusingIn(options.errors, log);
  const environment = { ...options, memory, turns: new Turns(), refuse, cookies: cookiesOf(options.baseUrl) };

  async function serve(received: Received): Promise<Outcome> {
    const { request, requestId, path } = received;
    for (const [prefix, passed] of options.passes ?? []) {
      if (path.startsWith(prefix) && (passed.takes?.(path) ?? true)) return pass(prefix, passed, received);
    }
    const { method = '' } = request;
    const match = table.match(path);
    if (!match) {
      const found = options.pages && await throughRouter(options.pages, received, refuse);
      return found ?? { answer: notFoundAnswer(), route: unmatched };
    }
    if (method === 'OPTIONS') return { answer: allowAnswer(match.allow), route: unmatched };
    const hit = match.hit(method);
    if (!hit) return refuse(methodNotAllowed(match.allow), requestId, unmatched);
    const { target, parameters } = hit;
    const { route } = target.endpoint;
    const attributes = { 'http.request.method': method, 'http.route': route, 'platform.request_id': requestId };
    return withSpan(`${method} ${route}`, { kind: 'server', from: traceOf(request), attributes }, async (span) => {
      const outcome = await callEndpoint({ ...received, ...target, parameters }, environment);
      const { status } = outcome.answer;
      span.set({ 'http.response.status_code': status, 'error.type': outcome.reason });
      if (status >= 500) span.fail(outcome.reason ?? String(status));
      return outcome;
    });
  }

  async function pass(
    prefix: string, { passOn, errors, takesSession }: Passed, { request, response, requestId, address }: Received,
  ): Promise<Outcome> {
    try {
      const session = takesSession === true ? readSessionCookie(request, environment.cookies()) : undefined;
      const answer = await passOn(request, response, { requestId, address, session });
      return { answer, route: prefix, close: isArriving(request) };
    } catch (error) {
      if (error instanceof CallerGone) throw error;
      const refusePassed = errors === undefined ? refuse : refusingIn(errors, log);
      return refusePassed(translate(error), requestId, prefix, { close: true });
    }
  }

  return createHandler(serve, {
    ...options, metrics, refuse,
    unknownMethod: (target, requestId) => {
      const match = table.match(splitTarget(target).path);
      if (!match) return { answer: notFoundAnswer(), route: unmatched };
      return refuse(methodNotAllowed(match.allow), requestId, unmatched);
    },
  });
}

/** Creates the cookie rules at first use, because the address is known only once the server listens. */
function cookiesOf(baseUrl: () => string): () => CookieRules {
  let rules: CookieRules | undefined;
  return () => (rules ??= cookieRules(baseUrl()));
}

function traceOf({ headers: { traceparent, tracestate } }: IncomingMessage) {
  return {
    ...(typeof traceparent === 'string' && { traceparent }), ...(typeof tracestate === 'string' && { tracestate }),
  };
}
