import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault, type Replicas, translate } from '@platform/rpc';
import { deadlineIn, type Logger, type Metrics, type Readiness, withSpan } from '@platform/service';
import type { Surface } from '@platform/surface';
import type { Answer } from './endpoint/answer.ts';
import { compileEndpoint, type Endpoint } from './endpoint/endpoint.ts';
import { readToken } from './http/credentials.ts';
import { errorAnswer, notFoundAnswer } from './http/error-answer.ts';
import { headersTooLarge, uriTooLong } from './http/http-server.ts';
import { parseQuery } from './http/query.ts';
import { BodyMemory, CallerGone, hasBody, readBody } from './http/read-body.ts';
import { requestIdOf } from './http/request-id.ts';
import { headerBytes, splitTarget } from './http/request-target.ts';
import type { SourceAddress } from './http/source-address.ts';
import { writeAnswer } from './http/write-answer.ts';
import { type Message, MessageDecoders } from './json/decode-message.ts';
import { MessageEncoders } from './json/encode-message.ts';
import type { Limits } from './limits/limits.ts';
import type { RateLimiter } from './limits/rate-limit.ts';
import { createObserver } from './observe.ts';
import { homePage, type Page } from './pages.ts';
import { type Deployment, isMarketplace, isRegistered } from './routing/gates.ts';
import { type Hit, RouteTable } from './routing/route-table.ts';
import { callEntries, type Upstream } from './upstream.ts';
import { readWireCodecs } from './wire-codec.ts';

export interface GatewayOptions {
  readonly surface: Surface;
  readonly deployment: Deployment;
  readonly upstream: Upstream;
  /** Routes of the gateway's own. */
  readonly pages: readonly Page[];
  readonly limits: Limits;
  readonly rateLimiter: RateLimiter;
  readonly sourceAddress: SourceAddress;
  /** Shown to the services, so that they believe the source address. */
  readonly serviceCredential: string | undefined;
  /** `{base_url}` of open-points; known once the server listens. */
  readonly baseUrl: () => string;
  readonly version: string;
  readonly readiness: Readiness;
  readonly log: Logger;
  readonly metrics?: Metrics;
}

/** The generic gateway: turns every bound method into a route and translates. */
export interface Gateway {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** From now on every answer is its connection's last. */
  drain(): void;
  /** Resolves when no request is under way. */
  idle(): Promise<void>;
}

type Target = { kind: 'page'; page: Page } | { kind: 'endpoint'; endpoint: Endpoint; replicas: Replicas };

/** What came of a request. */
interface Outcome {
  readonly answer: Answer;
  readonly route: string;
  readonly reason?: string;
  /** The answer depends on who asked. */
  readonly noStore?: boolean;
  /** The rest of the request is not worth reading. */
  readonly close?: boolean;
}

const unmatched = 'unmatched';
/** Routes that no rate limit counts (open-points 1.9): versions and the listener's notifications. */
const unlimited = /^(?:\/api\/v1\/version$|\/marketplace\/)/;
/** An unwanted body up to this size is read away, a larger one costs the connection. */
const unwantedBody = 64 * 1024;

/** Compiles all routes. Throws for everything in the API that could not be served. */
export function createGateway(options: GatewayOptions): Gateway {
  const { deployment, limits, rateLimiter, baseUrl, log } = options;
  const table = new RouteTable<Target>([...endpointRoutes(options), ...pageRoutes(options.pages)]);
  const listenerDeployed = isMarketplace(deployment);
  const observe = createObserver(log, options.metrics);
  const memory = new BodyMemory(limits.bodiesInMemory);
  options.metrics?.observed(
    { name: 'http_bodies_in_memory_bytes', help: 'Bytes of request bodies held at the moment.' },
    () => memory.held,
  );
  let draining = false;
  let underWay = 0;
  let becameIdle: (() => void) | undefined;

  function refusal(fault: Fault, requestId: string, route: string, more: Partial<Outcome> = {}): Outcome {
    const listener = route.startsWith('/marketplace/');
    return { answer: errorAnswer(fault, { requestId, baseUrl: baseUrl(), listener }), route, reason: fault.reason, ...more };
  }

  async function serve(request: IncomingMessage, response: ServerResponse, requestId: string, address: string): Promise<Outcome> {
    const { method = '', rawHeaders } = request;
    const target = request.url ?? '/';
    if (target.length > limits.url) return refusal(uriTooLong(), requestId, unmatched, { close: true });
    if (headerBytes(rawHeaders) > limits.headers) return refusal(headersTooLarge(), requestId, unmatched, { close: true });
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      return refusal(new Fault('INVALID_PARAMETER', 'the header Host is required'), requestId, unmatched, { close: true });
    }
    const { path, rawQuery } = splitTarget(target);
    if (!listenerDeployed && (path === '/marketplace' || path.startsWith('/marketplace/'))) {
      const { ready } = await options.readiness.report();
      return { answer: homePage(options.version, ready), route: '/marketplace/' };
    }
    const match = table.match(path);
    if (!match) return { answer: notFoundAnswer(), route: unmatched };
    if (method === 'OPTIONS') return { answer: { status: 204, headers: [['Allow', match.allow]], body: '' }, route: unmatched };
    const hit = match.hit(method);
    if (!hit) {
      const refused = refusal(new Fault('METHOD_NOT_ALLOWED', `this path has ${match.allow}`), requestId, unmatched);
      refused.answer.headers.push(['Allow', match.allow]);
      return refused;
    }
    if (hit.target.kind === 'page') return { answer: await hit.target.page.answer(), route: hit.target.page.path };
    const { endpoint, replicas } = hit.target;
    const call = () => callEndpoint({ request, response, requestId, address, endpoint, replicas, hit, path, rawQuery });
    return withSpan(`${method} ${endpoint.route}`, { kind: 'server', from: traceOf(request) }, call);
  }

  interface EndpointCall {
    request: IncomingMessage;
    response: ServerResponse;
    requestId: string;
    address: string;
    endpoint: Endpoint;
    replicas: Replicas;
    hit: Hit<Target>;
    path: string;
    rawQuery: string;
  }

  /** Open-points 1.5: what does not fit is sent along, so that the service refuses in the right order. */
  async function callEndpoint(call: EndpointCall): Promise<Outcome> {
    const { request, response, requestId, address, endpoint, replicas, hit, path } = call;
    const { route } = endpoint;
    const deadline = deadlineIn(limits.requestMs);
    const query = parseQuery(call.rawQuery);
    const token = endpoint.ignoresCaller ? undefined : readToken(request.rawHeaders, query);
    if (token instanceof Fault) return refusal(limitFailed(token, address), requestId, route, { noStore: true });
    const limited = token === undefined && !unlimited.test(route) ? rateLimiter.anonymous(address) : undefined;
    if (limited) return refusal(limited, requestId, route);

    const noStore = token !== undefined;
    const message: Message = {};
    const faults = endpoint.parameters.read(hit.parameters, query, message);
    const body = await takeBody(request, endpoint, message);
    try {
      if (body.answerNow) return refusal(body.answerNow, requestId, route, { noStore, close: true });
      const page = endpoint.answer.paging?.settle(message);
      const entries = callEntries({
        token,
        parameterFault: faults.access,
        bodyFault: body.fault ?? faults.other,
        sourceAddress: address,
        serviceCredential: options.serviceCredential,
      });
      const context = { deadline, requestId, cancelled: whenGone(response) };
      const answered = await replicas.call(endpoint.call, message, context, entries);
      const url = baseUrl() + path;
      const answer = endpoint.answer.write(answered, { headers: request.headers, query, url, page });
      if (endpoint.deprecation) answer.headers.push(...endpoint.deprecation(hit.parameters, baseUrl()));
      return { answer, route, noStore, close: body.close };
    } catch (error) {
      const fault = translate(error);
      if (fault.reason === 'INTERNAL') log.error({ requestId, route, error: fault.cause ?? fault }, 'request failed');
      const refused = token !== undefined && fault.reason === 'UNAUTHENTICATED' ? limitFailed(fault, address) : fault;
      return refusal(refused, requestId, route, { noStore, close: body.close });
    } finally {
      memory.give(body.held);
    }
  }

  function limitFailed(fault: Fault, address: string): Fault {
    return (fault.reason === 'UNAUTHENTICATED' && rateLimiter.failedCredentials(address)) || fault;
  }

  interface TakenBody {
    /** What the service is told. */
    fault?: Fault;
    /** What the service need not be asked about. */
    answerNow?: Fault;
    close: boolean;
    /** Bytes counted in memory. */
    held: number;
  }

  async function takeBody(request: IncomingMessage, { body }: Endpoint, message: Message): Promise<TakenBody> {
    const isThere = hasBody(request);
    const large = isThere && !(Number(request.headers['content-length']) <= unwantedBody);
    if (!body) return { close: large, held: 0 };
    const { headers } = request;
    if (!isThere) return { ...fault(await body.read({ contentType: undefined, bytes: empty }, message)), close: false, held: 0 };
    const refusedType = body.refuseType(headers);
    if (refusedType) return { fault: refusedType, close: large, held: 0 };
    const isForm = body.multipart && headers['content-type']?.toLowerCase().startsWith('multipart/');
    const bytes = await readBody(request, { most: isForm ? limits.form : limits.body, withinMs: limits.bodyMs, memory });
    if (bytes instanceof Fault) {
      return bytes.reason === 'BODY_TOO_LARGE'
        ? { fault: bytes, close: true, held: 0 }
        : { answerNow: bytes, close: true, held: 0 };
    }
    const found = await body.read({ contentType: headers['content-type'], bytes }, message);
    return { ...fault(found), close: false, held: bytes.length };
  }

  return {
    handle: (request, response) => {
      const begun = performance.now();
      const requestId = requestIdOf(request);
      const address = options.sourceAddress(request);
      underWay += 1;
      const finish = (outcome: Outcome, gone: boolean) => {
        const { answer, route, reason, noStore = false, close = false } = outcome;
        if (!gone) writeAnswer(request, response, answer, { requestId, noStore, close: close || draining });
        const seconds = (performance.now() - begun) / 1000;
        observe({ request, requestId, address, route, status: gone ? 499 : answer.status, seconds, reason });
        underWay -= 1;
        if (underWay === 0) becameIdle?.();
      };
      serve(request, response, requestId, address).then(
        (outcome) => finish(outcome, response.destroyed),
        (error: unknown) => {
          if (!(error instanceof CallerGone)) log.error({ requestId, error }, 'request failed');
          finish(refusal(translate(error), requestId, unmatched, { close: true }), error instanceof CallerGone);
        },
      );
    },
    drain: () => {
      draining = true;
    },
    idle: () =>
      underWay === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            becameIdle = resolve;
          }),
  };
}

const empty = Buffer.alloc(0);

function fault(found: Fault | undefined): { fault?: Fault } {
  return found ? { fault: found } : {};
}

function endpointRoutes({ surface, deployment, upstream }: GatewayOptions) {
  const codecs = {
    decoders: new MessageDecoders(),
    encoders: new MessageEncoders(),
    wire: readWireCodecs(surface.image),
  };
  return surface.methods.flatMap((method) => {
    if (!method.http) return [];
    const registered = isRegistered(method.rest.gate, deployment);
    const endpoint = compileEndpoint(method, codecs);
    // Where it is not registered nobody calls it, and its service need not run.
    const replicas = registered ? upstream.replicasFor(method) : unreachable;
    const target: Target = { kind: 'endpoint', endpoint, replicas };
    return [{ verb: method.http.verb, template: method.http.template, registered, target }];
  });
}

const unreachable: Replicas = {
  call: () => Promise.reject(new Error('a route that is not registered was called')),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

function pageRoutes(pages: readonly Page[]) {
  return pages.map((page) => ({
    verb: 'GET' as const,
    template: page.path,
    registered: true,
    target: { kind: 'page', page } satisfies Target,
  }));
}

function whenGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableEnded) gone.abort();
  });
  return gone.signal;
}

function traceOf({ headers }: IncomingMessage) {
  const { traceparent, tracestate } = headers;
  return {
    ...(typeof traceparent === 'string' ? { traceparent } : {}),
    ...(typeof tracestate === 'string' ? { tracestate } : {}),
  };
}

