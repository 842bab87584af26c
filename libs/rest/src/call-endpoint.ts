import type { IncomingHttpHeaders } from 'node:http';
import { Fault, tokenRequired, translate } from '@platform/faults';
import {
  type Answer, type AnswerStream, CallerGone, type CookieRules, hasBody, type Limits, type Outcome, parseQuery,
  readCredential, readToken, type Received,
  type Refuse, type WholeAnswer, whenGone,
} from '@platform/http';
import {
  type CallersMemory, isBadCredential, isRateLimited, type RateLimiter, requestsOf, smallBody, sourceOf,
} from '@platform/limits';
import { type Replicas, wire } from '@platform/rpc';
import { deadlineIn } from '@platform/service';
import { Makes } from '@platform/surface';
import { refusalBeforeBody, requestsBeforeBody } from './before-body.ts';
import { csvAnswer, csvTimeMs, partsOfList } from './csv/csv-answer.ts';
import { asksForCsv } from './csv/csv-rule.ts';
import { type AnswerContext, validated } from './endpoint/answer.ts';
import { repeatKey } from './endpoint/conditional-headers.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import type { Upload } from './endpoint/form-options.ts';
import type { Message } from './json/decode-message.ts';
import type { Hit } from './routing/route-table.ts';
import { leavesTooMuch, takeBody } from './take-body.ts';
import type { Turns } from './turns.ts';
import { callEntries } from './upstream.ts';

/** Of a kept answer (open-points 18.8). */
const replayed: [string, string] = ['Idempotent-Replayed', 'true'];
/** What all requests share. */
export interface CallEnvironment {
  readonly limits: Limits;
  readonly memory: CallersMemory;
  readonly turns: Turns;
  readonly rateLimiter: RateLimiter;
  readonly baseUrl: () => string;
  readonly cookies: () => CookieRules;
  readonly refuse: Refuse;
}

/** A request and the endpoint of its route. */
export interface EndpointRequest extends Received {
  readonly endpoint: Endpoint;
  readonly replicas: Replicas;
  readonly parameters: Hit<unknown>['parameters'];
}

/**
 * Translates a request into its call, and the response into the answer. Faults of parameters and body are sent along
 * with the call, so that the service's guard refuses on access first (open-points 1.5).
 * @throws CallerGone
 */
export async function callEndpoint(found: EndpointRequest, environment: CallEnvironment): Promise<Outcome> {
  const { request, requestId, address, endpoint, parameters } = found;
  const { limits, memory, turns, rateLimiter, baseUrl, refuse } = environment;
  const cookies = environment.cookies();
  const { route, method: { statuses } } = endpoint;
  const source = sourceOf(address);
  const query = parseQuery(found.rawQuery);
  const csv = endpoint.csv && asksForCsv(query, request.headers);
  const deadline = deadlineIn(csv === true ? csvTimeMs : endpoint.timeLimitMs ?? limits.requestMs);
  const elsewhere = refuseElsewhere(endpoint, request.headers, cookies);
  if (elsewhere) return refuseUnread(elsewhere);
  const token = endpoint.ignoresCaller ? undefined
    : endpoint.takesSession ? readCredential(request, query, cookies) : readToken(request.rawHeaders, query);
  if (token instanceof Fault) return refuseUnread(limitFailed(token));
  const limited = token === undefined && isRateLimited(endpoint.method) ? rateLimiter.anonymous(address) : undefined;
  if (limited) return refuseUnread(limited);
  if (token === undefined && endpoint.needsToken) return refuseUnread(tokenRequired());

  const message: Message = {};
  const faults = endpoint.parameters.read(parameters, query, message);
  if (csv instanceof Fault) faults.other ??= csv;
  const conditional = endpoint.readConditionalHeaders(request, found.path, query);
  if (conditional.fault) faults.other ??= conditional.fault;
  const cancelled = whenGone(found.response);
  const context = { deadline, requestId, cancelled };
  let isCounted = false;
  if (token !== undefined && endpoint.body && isReadForKnownCallers()) {
    const unknown = await refusalOfCaller(requestsBeforeBody(request, endpoint, limits));
    if (unknown) return refuseUnread(limitFailed(unknown));
    isCounted = true;
  }
  const upload = faults.access || faults.other ? undefined : uploading();
  const body = await takeBody(found, endpoint.body, message, {
    limits, memory, source, turns, upload, countArrived, withDigest: conditional.key !== undefined,
  });
  const repeat = repeatKey(conditional.key, body.digest);
  const { close } = body;
  try {
    if (body.answerNow) return refused(body.answerNow);
    endpoint.readHeaders?.(request, cookies, message);
    const page = endpoint.answer.paging?.settle(message);
    const entriesOf = (countsAs: number) => callEntries({
      token, sourceAddress: address, parameterFault: faults.access, bodyFault: body.fault ?? faults.other, countsAs,
      repeat,
    });
    const told = new Map<string, string>();
    const takeTold = endpoint.method.rest.revision || repeat ? told.set.bind(told) : undefined;
    // An object made and answered in one transaction is found again by the key.
    const isKept = repeat !== undefined && endpoint.method.rest.makes === Makes.AT_ONCE;
    const repeatable = endpoint.call.repeatable || isKept;
    const unary = { ...endpoint.call, repeatable };
    const call = (asked: Message, countsAs: number) =>
      found.replicas.call(unary, asked, context, entriesOf(countsAs), takeTold);
    const receive = () => found.replicas.receive(endpoint.call, message, context, entriesOf(counts()));
    const about = { headers: request.headers, query, url: baseUrl() + found.path, page, cookies };
    const { placeOf } = endpoint.answer;
    // The whole list is one request; a page that was asked for is that page.
    const partsOf = () => partsOfList(
      message, page === undefined ? placeOf : undefined, (part, isFirst) => call(part, isFirst ? counts() : 0),
    );
    const answer = csv === true
      ? await csvAnswer(endpoint.csv!, found.path, placeOf, endpoint.isStreamed ? receive() : partsOf())
      : endpoint.isStreamed
        ? await streamedAnswer(endpoint, receive(), about)
        : withRevision(endpoint.answer.write(await call(message, counts()), about), {
          revision: told.get(wire.revision), endpoint, headers: request.headers,
        });
    if (told.has(wire.replayed)) answer.headers.push(replayed);
    if (endpoint.deprecation) answer.headers.push(...endpoint.deprecation(parameters, baseUrl()));
    return { answer, route, close };
  } catch (error) {
    if (error instanceof CallerGone) throw error;
    return refused(translate(error));
  } finally {
    memory.give(body.held, source);
  }

  function refused(fault: Fault): Outcome {
    // What signs in is a credential, too.
    const isOfCredential = typeof token === 'string' || endpoint.method.rest.cookies.length > 0;
    const outcome = refuse(isOfCredential ? limitFailed(fault) : fault, requestId, route, { close, statuses });
    if (fault.metadata['replayed'] !== undefined) outcome.answer.headers.push(replayed);
    return outcome;
  }

  /** As how many requests a further call counts. */
  function counts(): number {
    return isCounted ? 0 : 1;
  }

  /** Sends files of a form to the upload method, for the same caller. */
  function uploading(): Upload | undefined {
    const { upload: method } = endpoint;
    if (method === undefined) return undefined;
    const caller = token as string | undefined;
    const entries = callEntries({
      token: caller, sourceAddress: address, parameterFault: undefined, bodyFault: undefined, countsAs: counts(),
    });
    return async (file) =>
      method.read(await found.replicas.send(method.call, method.requests(message, file), context, entries));
  }

  /** Counts a body whose length was not known, before it is parsed. @throws CallerGone */
  async function countArrived(bytes: number): Promise<Fault | undefined> {
    const wasKnown = request.headers['content-length'] !== undefined;
    if (!isCounted || wasKnown || bytes <= smallBody) return undefined;
    return await refusalOfCaller(requestsOf(bytes));
  }

  /** Whether the body is read only once the service knows the token: it is large, or its source guesses tokens. */
  function isReadForKnownCallers(): boolean {
    return leavesTooMuch(request) || (hasBody(request) && rateLimiter.hasFailedTooOften(address));
  }

  /** Asks the service about the caller before the body is read or parsed. @throws CallerGone */
  function refusalOfCaller(countsAs: number): Promise<Fault | undefined> {
    const facts = { token: token as string, sourceAddress: address, parameterFault: faults.access, countsAs };
    return refusalBeforeBody({ endpoint, replicas: found.replicas, message, context, facts });
  }

  /** Refuses without waiting for the body. */
  function refuseUnread(fault: Fault): Outcome {
    return refuse(fault, requestId, route, { close: leavesTooMuch(request), statuses });
  }

  /** Refused credentials count against their source; beyond its limit the source is refused as rate limited. */
  function limitFailed(fault: Fault): Fault {
    return (isBadCredential(fault) && rateLimiter.failedCredentials(address)) || fault;
  }
}

/** What only pages of the platform may call, and only where cookies are safe (open-points 18.3). */
function refuseElsewhere(
  { method: { rest } }: Endpoint, headers: IncomingHttpHeaders, { origin, areOffered }: CookieRules,
): Fault | undefined {
  if (rest.ownOrigin && headers.origin !== origin) {
    return new Fault('FORBIDDEN', 'only pages of the platform may do this: Origin must be that of its address');
  }
  if (rest.ownOrigin && !/^application\/json[ \t]*(?:;|$)/i.test(headers['content-type'] ?? '')) {
    return new Fault('UNSUPPORTED_MEDIA_TYPE', 'the body must be application/json');
  }
  if (rest.cookies.length > 0 && !areOffered) {
    return new Fault('HTTPS_REQUIRED', 'signing in needs HTTPS (http.baseURL), or an address on loopback');
  }
  return undefined;
}

/** The first message makes the headers; a stream that fails before it is refused like any call. */
async function streamedAnswer(
  { answer: rule }: Endpoint, responses: AsyncGenerator<Message, void, undefined>, about: AnswerContext,
): Promise<Answer> {
  const first = await responses.next();
  const answer = rule.write(first.done === true ? {} : first.value, about);
  const body: AnswerStream = {
    async *[Symbol.asyncIterator]() {
      yield bytesOf(answer.body);
      for await (const response of responses) yield bytesOf(rule.pieceOf(response));
    },
    end: async () => void (await responses.return()),
  };
  return { ...answer, body };
}

/** An answer that is an object, with its revision. */
function withRevision(
  answer: WholeAnswer,
  { revision, endpoint, headers }: {
    readonly revision: string | undefined; readonly endpoint: Endpoint; readonly headers: IncomingHttpHeaders;
  },
): WholeAnswer {
  if (revision === undefined) return answer;
  if (endpoint.method.http!.verb === 'GET') return validated(answer, headers, { entityTag: revision });
  return { ...answer, headers: [...answer.headers, ['ETag', revision]] };
}

const bytesOf = (piece: string | Buffer): Buffer => (typeof piece === 'string' ? Buffer.from(piece) : piece);
