import { Fault, translate } from '@platform/faults';
import { CallerGone, hasBody, type Outcome, parseQuery, whenGone } from '@platform/http';
import { type RateLimiter, requestsOf, smallBody, sourceOf } from '@platform/limits';
import { deadlineIn } from '@platform/service';
import { answerCall } from './answer-call.ts';
import { refusalBeforeBody, requestsBeforeBody } from './before-body.ts';
import { csvTimeMs } from './csv/csv-answer.ts';
import { asksForCsv } from './csv/csv-rule.ts';
import { replayed } from './endpoint/conditional-headers.ts';
import type { Upload } from './endpoint/form-options.ts';
import type { CallContext, CallEnvironment, EndpointRequest } from './endpoint-request.ts';
import type { Message } from './json/decode-message.ts';
import { countedFault, readCaller } from './read-caller.ts';
import { leavesTooMuch, takeBody } from './take-body.ts';
import { callEntries, type CallFacts } from './upstream.ts';

/**
 * Calls the service for a request, and turns the response into the answer. If the parameters or the body are invalid,
 * the call contains the fault, because the guard of the service checks access first (open-points 1.5).
 * @throws CallerGone
 */
export async function callEndpoint(found: EndpointRequest, environment: CallEnvironment): Promise<Outcome> {
  const { request, requestId, address, endpoint, parameters } = found;
  const { limits, memory, turns, rateLimiter, baseUrl } = environment;
  const cookies = environment.cookies();
  const { route, method } = endpoint;
  const refuse = (fault: Fault, close: boolean): Outcome =>
    environment.refuse(fault, requestId, route, { close, statuses: method.statuses });
  const query = parseQuery(found.rawQuery);
  const csv = endpoint.csv && asksForCsv(query, request.headers);
  const deadline = deadlineIn(csv === true ? csvTimeMs : endpoint.timeLimitMs ?? limits.requestMs);

  const token = readCaller(found, query, cookies, rateLimiter);
  if (token instanceof Fault) return refuse(token, leavesTooMuch(request));

  const message: Message = {};
  const faults = endpoint.parameters.read(parameters, query, message);
  if (csv instanceof Fault) faults.other ??= csv;
  const { key, fault: conditionalFault } = endpoint.readConditionalHeaders(request, found.path, query);
  if (conditionalFault) faults.other ??= conditionalFault;

  const context = { deadline, requestId, cancelled: whenGone(found.response) };
  const caller = { token, sourceAddress: address, parameterFault: faults.access };
  const askAboutCaller = (countsAs: number) => refusalBeforeBody(found, message, context, { ...caller, countsAs });
  const isAsked = token !== undefined && endpoint.body !== undefined && isReadForKnownCallers(found, rateLimiter);
  if (isAsked) {
    const unknown = await askAboutCaller(requestsBeforeBody(request, endpoint, limits));
    if (unknown) return refuse(countedFault(unknown, address, rateLimiter), leavesTooMuch(request));
  }
  // If the caller was checked above, the request has been counted already.
  const facts = { ...caller, countsAs: isAsked ? 0 : 1 };

  const source = sourceOf(address);
  const body = await takeBody(found, endpoint.body, message, {
    limits, memory, source, turns,
    upload: faults.access || faults.other ? undefined : uploadOf(found, message, context, facts),
    countArrived: async (bytes) => {
      // The length of a chunked body was unknown when the caller was checked. So a large chunked body is counted here.
      const isCounted = !isAsked || request.headers['content-length'] !== undefined || bytes <= smallBody;
      return isCounted ? undefined : askAboutCaller(requestsOf(bytes));
    },
    withDigest: key !== undefined,
  });
  const { close, digest } = body;
  const refused = (fault: Fault): Outcome => {
    // Methods that set cookies may take a credential as input, such as the token of a sign-in.
    const isOfCredential = token !== undefined || method.rest.cookies.length > 0;
    const counted = isOfCredential ? countedFault(fault, address, rateLimiter) : fault;
    const outcome = refuse(counted, close);
    if (counted.metadata['replayed'] !== undefined) outcome.answer.headers.push(replayed);
    return outcome;
  };
  try {
    if (body.answerNow) return refused(body.answerNow);
    endpoint.readHeaders?.(request, cookies, message);
    const answer = await answerCall({
      found, message, context, isCsv: csv === true,
      facts: { ...facts, bodyFault: body.fault ?? faults.other, repeat: key && digest && { key, body: digest } },
      about: { headers: request.headers, query, url: baseUrl() + found.path, cookies },
    });
    if (endpoint.deprecation) answer.headers.push(...endpoint.deprecation(parameters, baseUrl()));
    return { answer, route, close };
  } catch (error) {
    if (error instanceof CallerGone) throw error;
    return refused(translate(error));
  } finally {
    memory.give(body.held, source);
  }
}

/**
 * Whether to check the caller before reading the body. True if the body is large or of unknown length. Also true if
 * the request has a body and its source address has sent too many refused credentials.
 */
function isReadForKnownCallers({ request, address }: EndpointRequest, rateLimiter: RateLimiter): boolean {
  return leavesTooMuch(request) || (hasBody(request) && rateLimiter.hasFailedTooOften(address));
}

function uploadOf(
  { endpoint: { upload: method }, replicas, address }: EndpointRequest, message: Message, context: CallContext,
  { token, countsAs }: Pick<CallFacts, 'token' | 'countsAs'>,
): Upload | undefined {
  if (method === undefined) return undefined;
  const caller = { token, sourceAddress: address, countsAs };
  const entries = callEntries({ ...caller, parameterFault: undefined, bodyFault: undefined });
  return async (file) =>
    method.read(await replicas.send(method.call, method.requests(message, file), context, entries));
}
