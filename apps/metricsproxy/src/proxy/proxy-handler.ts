import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault, notFound, tokenRequired, translate } from '@platform/faults';
import {
  type Answer, askForBody, CallerGone, createHandler, hasBody, type HttpHandler, isArriving,
  isPassedOnTo, type Limits, mainErrors, notFoundAnswer, type Outcome, parseQuery, percentDecode, type Query, readToken,
  type Received, refusingIn, sessionPassedOn, streamedBody, unmatched, whenGone,
} from '@platform/http';
import type { RateLimiter, SourceAddress } from '@platform/limits';
import { AddressRefused, type Outbound, type OutboundRequest, Unreachable } from '@platform/outbound';
import { type Guard, onBehalfOfCaller } from '@platform/rpc';
import { DeadlineExceeded, deadlineIn, type Logger, type Metrics } from '@platform/service';
import { type Method, writingScope } from '@platform/surface';
import { sessionToken } from '@platform/values';
import { type Identity, identityText, parseIdentity, tenantOf } from '../identity.ts';
import { type FindRoute, refuseFormerToken } from './find-route.ts';
import { headersToBackend, headersToClient } from './headers.ts';
import { backendUrl, isReading, proxyTarget, type ProxyTarget } from './proxy-target.ts';
import { watchBody } from './watch-body.ts';

interface ProxyOptions {
  readonly guard: Guard;
  /** The method `authorize`. Its access rule also applies to the queries that this handler forwards. */
  readonly hook: Method;
  readonly findRoute: FindRoute;
  readonly outbound: Outbound;
  readonly tenantPrefix: string;
  /** Path of the public URL of metricsproxy, without a slash at its end. */
  readonly prefix: string;
  readonly baseUrl: string;
  readonly limits: Limits;
  readonly rateLimiter: RateLimiter;
  readonly sourceAddress: SourceAddress;
  readonly log: Logger;
  readonly metrics: Metrics;
}

const route = '/{identity}/{path=**}';
const methods: readonly string[] = ['GET', 'HEAD', 'POST'];
/** Time limit of a whole query including its answer, in milliseconds. */
const longestMs = 60_000;
/** Maximum number of concurrent queries for one cluster or project, in this replica. */
const mostOfIdentity = 200;
/**
 * Maximum number of concurrent queries of one caller for one cluster or project, in this replica. One caller alone
 * cannot use up the limit of the cluster or project.
 */
const mostOfCaller = 50;
/**
 * Statuses with which a backend refuses the platform's credentials. These statuses are not passed on, because a client
 * would relate them to its own credentials.
 */
const refusesUs: readonly number[] = [401, 407];

/**
 * Creates the handler of `{publicURL}/{identity}/{path}`, which forwards queries to backends (open-points 9.1). The
 * guard admits callers as for the method `authorize`. Only a POST needs the token scope for writing (open-points 18.2).
 */
export function createProxyHandler(options: ProxyOptions): HttpHandler {
  const { guard, hook, rateLimiter } = options;
  const isPassedOn = isPassedOnTo(guard);
  const refuse = refusingIn(mainErrors(() => options.baseUrl), options.log);
  const posted: Method = { ...hook, access: { ...hook.access, tokenScope: writingScope(hook.access.tokenScope!) } };
  const [enter, enterAsCaller] = [limitAtOnce(mostOfIdentity), limitAtOnce(mostOfCaller)];

  async function serve(received: Received): Promise<Outcome> {
    const { request, requestId } = received;
    const target = proxyTarget(options.prefix, received.path);
    if (target === undefined) return { answer: notFoundAnswer(), route: unmatched, close: isArriving(request) };
    if (!methods.includes(request.method!)) {
      const allow = methods.join(', ');
      const refused = refuse(new Fault('METHOD_NOT_ALLOWED', `this path allows ${allow}`), requestId, route);
      refused.answer.headers.push(['Allow', allow]);
      return { ...refused, close: isArriving(request) };
    }
    try {
      return { answer: await query(received, target), route, close: isArriving(request) };
    } catch (error) {
      if (error instanceof CallerGone) throw error;
      return refuse(translate(error), requestId, route, { close: isArriving(request), statuses: hook.statuses });
    }
  }

  async function query({ request, response, requestId, address, rawQuery }: Received, target: ProxyTarget) {
    const sentQuery = parseQuery(rawQuery);
    const token = proxyCredential(request, sentQuery);
    if (token instanceof Fault) throw limitFailed(token, address);
    if (token === undefined) throw rateLimiter.anonymous(address) ?? tokenRequired();
    const identity = parseIdentity(target.identity);
    const key = identity === undefined ? '' : identityText(identity);
    const ended = new AbortController();
    const body = watchBody(request, response, ended, options.limits);
    const cancelled = whenGone(response, ended);
    const deadline = deadlineIn(longestMs, cancelled);
    const call = {
      deadline, requestId, cancelled, token, log: options.log, parameterFault: faultIn(identity, target.path),
      bodyFault: undefined, countsAs: 1, serviceCredential: undefined, certificate: undefined,
    };
    const admit = async () => {
      const method = request.method === 'POST' ? posted : hook;
      const admitted = await guard.admit(method, { uidcid: key, path: target.path }, call);
      // Queues count this work for the account, not for the source address (ADR 0154), because one dashboard may send
      // the queries of many accounts from one address.
      const route = await onBehalfOfCaller(admitted, () => options.findRoute(key, deadline));
      refuseFormerToken(admitted.caller, route);
      return { admitted, access: route.access };
    };
    const { admitted, access } = await admit().catch((error: unknown) => {
      throw error instanceof Fault ? limitFailed(error, address) : error;
    });
    if (!isReading(request.method!, target.path)) {
      throw new Fault('FORBIDDEN', 'only requests that read metrics are forwarded to a backend');
    }
    if (sentQuery.hasBadText) throw badText('query');
    if (access === undefined) throw notFound('no metrics backend is registered for the cluster or project in the path');
    body.refuseAnnounced();
    // Check the limit of the caller first. A query above this limit must not count towards the limit of the cluster or
    // project.
    enterAsCaller(`${key} ${admitted.caller!.id}`, response, 'of this account for the cluster or project in the path');
    enter(key, response, 'for the cluster or project in the path');
    const tenant = tenantOf(options.tenantPrefix, admitted.account!.id);
    askForBody(request, response);
    body.count();
    const headers = headersToBackend(request.headers, tenant, access.authorization);
    const sent = { headers, deadline, ...(access.tls && { tls: access.tls }) };
    return ask(request, backendUrl(access.url, target.path, rawQuery), sent, cancelled);
  }

  async function ask(
    request: IncomingMessage, url: URL, sent: OutboundRequest, cancelled: AbortSignal,
  ): Promise<Answer> {
    const body = hasBody(request) ? { body: request } : {};
    const answer = await options.outbound.send(url, { method: request.method!, ...sent, ...body }).catch((error) => {
      throw cancelled.reason instanceof Fault ? cancelled.reason : backendFault(error);
    });
    const { status } = answer;
    const isRedirect = status >= 300 && status < 400 && status !== 304;
    if (isRedirect || refusesUs.includes(status)) {
      answer.body.destroy();
      throw new Fault('BAD_UPSTREAM', `the metrics backend answered with status ${status}`);
    }
    return { status, headers: headersToClient(answer.headers), body: streamedBody(answer.body) };
  }

  function limitFailed(fault: Fault, address: string): Fault {
    return (fault.reason === 'UNAUTHENTICATED' && rateLimiter.failedCredentials(address)) || fault;
  }

  /**
   * Returns the token of a request, or the token of the session that the gateway passed on (open-points 18.3). Returns
   * undefined if the request has neither. Returns a fault if the request has both, or if {@link proxyToken} returns a
   * fault.
   */
  function proxyCredential({ rawHeaders, headers }: IncomingMessage, query: Query): string | undefined | Fault {
    const token = proxyToken(rawHeaders, query);
    const session = isPassedOn(headers) ? sessionPassedOn(headers) : undefined;
    if (session === undefined || token instanceof Fault) return token;
    if (token === undefined) return sessionToken(session);
    return new Fault('AMBIGUOUS_CREDENTIALS', 'the request carries a token and the cookie of a session; send one');
  }

  return createHandler(serve, { ...options, refuse, isPassedOn });
}

/** Like {@link readToken} (open-points 1.3), but also reads a token from the password of basic authentication. */
function proxyToken(rawHeaders: readonly string[], query: Query): string | undefined | Fault {
  const asBearer = [...rawHeaders];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() !== 'authorization') continue;
    const encoded = /^basic[ \t]+([A-Za-z0-9+/=]+)[ \t]*$/i.exec(rawHeaders[index + 1]!.trim())?.[1];
    if (encoded === undefined) continue;
    const pair = Buffer.from(encoded, 'base64').toString('latin1');
    asBearer[index + 1] = `Bearer ${pair.slice(pair.indexOf(':') + 1)}`;
  }
  return readToken(asBearer, query);
}

/** Returns the fault for an invalid identity or path (open-points 1.7); undefined if both are valid. */
function faultIn(identity: Identity | undefined, path: string): Fault | undefined {
  if (identity === undefined) {
    const message = 'the path must name a cluster as {ownerID}.{clusterUID}, or a project as '
      + '{ownerID}.{clusterUID}.{projectID}';
    return new Fault('INVALID_PARAMETER', message);
  }
  return percentDecode(path) === undefined ? badText('path') : undefined;
}

function badText(where: 'path' | 'query'): Fault {
  return new Fault('INVALID_PARAMETER', `the ${where} has an invalid percent escape, invalid UTF-8, or NUL`);
}

/**
 * Converts an error of a request to a backend into a fault (open-points 9.1): 502 for a refused address or a failed
 * request, 504 for a timeout. Returns other errors unchanged.
 */
function backendFault(error: unknown): unknown {
  if (error instanceof AddressRefused || error instanceof Unreachable) {
    return new Fault('BAD_UPSTREAM', 'the request to the metrics backend failed', { cause: error });
  }
  if (error instanceof DeadlineExceeded) {
    return new Fault('DEADLINE_EXCEEDED', 'the metrics backend did not answer in time', { cause: error });
  }
  return error;
}

/** Limits the number of concurrent requests for each key. A request counts until its response is closed. */
function limitAtOnce(most: number): (key: string, response: ServerResponse, whose: string) => void {
  const underWay = new Map<string, number>();
  return (key, response, whose) => {
    if (response.destroyed) throw new CallerGone();
    const count = underWay.get(key) ?? 0;
    if (count >= most) {
      const message = `there may be at most ${most} concurrent queries ${whose}`;
      throw new Fault('RATE_LIMITED', message, { retryAfterSeconds: 1 });
    }
    underWay.set(key, count + 1);
    response.once('close', () => {
      const left = underWay.get(key)! - 1;
      if (left === 0) underWay.delete(key);
      else underWay.set(key, left);
    });
  };
}
