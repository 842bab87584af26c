import { type Deadline, type Logger, onBehalfOf, remaining, seldom, withSpan } from '@platform/service';
import { Makes, type Method } from '@platform/surface';
import { AdmissionChanged, type CallContext } from '../call-context.ts';
import { Fault, outcomeUnknown, type ReasonName, translate } from '@platform/faults';
import { requestsOf, requestsOfValues, smallBody, type SourceAddress } from '@platform/limits';
import type { Guard } from '../guard/guard.ts';
import { mayChange } from '../guard/may-change.ts';
import { belongsTo } from '../guard/resolve.ts';
import type { DirectLimit } from '../limits/direct-calls.ts';
import type { BoundContext, UnaryHandler } from './handler.ts';
import type { KeptAnswers, ResponseCodec } from './kept-answers.ts';
import { type Decode, type Message, type ReadRequest, requestReader } from './read-request.ts';
import { requireFields } from './required.ts';
import type { ServerMetrics } from './server-metrics.ts';
import { entityTagOf, observedFields } from '../revision.ts';
import { wire } from '../wire/wire.ts';
import { type Incoming, incomingCall, partyOf, traceOf, type WireCall } from './wire-call.ts';

export interface MethodParts {
  readonly method: Method;
  readonly decode: Decode;
  readonly guard: Guard;
  /** Keeps answers to requests with `Idempotency-Key`; undefined if no method of the server accepts this header. */
  readonly kept?: KeptAnswers | undefined;
  readonly limit: DirectLimit | undefined;
  readonly sourceAddress: SourceAddress;
  readonly log: Logger;
  readonly counts: ServerMetrics;
  /** Resolves when no process uses an old copy of data that a call may have changed (leases.md L4). */
  readonly told?: ((deadline: Deadline) => Promise<void>) | undefined;
}

/** Returns a function that answers unary calls of one method from the bytes of a request. It throws only Faults. */
export function answering(
  parts: MethodParts, handler: UnaryHandler<unknown, unknown>, codec: ResponseCodec<unknown>,
): (call: WireCall, request: Uint8Array) => Promise<unknown> {
  const read = requestReader(parts.method, parts.decode);
  const conduct = conducting(parts);
  const observed = observedFields(parts.method.output);
  return (call, request) => conduct(call, async (incoming) => {
    const counted = await countLarge(parts, incoming, request.length);
    const found = read(call, request);
    const options = { once: once(call, incoming) };
    const response = await repeatedWhileMoved(parts, found, countBatch(counted, found), handler, options);
    if (parts.method.rest.revision) call.tell(wire.revision, entityTagOf(response as object, observed));
    return response;
  });

  /**
   * Returns a function that runs a request with `Idempotency-Key`, or returns its kept answer. Undefined for other
   * requests, and for methods that create no object.
   */
  function once(call: WireCall, { repeat }: Incoming): Once<unknown> | undefined {
    const { kept, method } = parts;
    if (repeat === undefined || method.rest.makes === Makes.UNSPECIFIED) return undefined;
    if (kept === undefined) throw new Error(`${method.fullName}: this process does not keep answers`);
    return async (context, act) => {
      const { response, replayed } = await kept.answer(repeat, context, codec, act);
      if (replayed) call.tell(wire.replayed, 'yes');
      return response;
    };
  }
}

/** Runs `act`, or returns the kept answer to an earlier request with the same `Idempotency-Key`. */
type Once<Result> = (context: BoundContext, act: (attempt: object | undefined) => Promise<Result>) => Promise<Result>;

/**
 * Counts a direct caller's large message towards the caller's rate limit, before the message is read (ADR 0151).
 * Returns the call with `countsAs` 0, so that the call is not counted again. Returns any other call unchanged.
 * @throws Fault, such as UNAUTHENTICATED or RATE_LIMITED; the message must not be read then
 */
export async function countLarge({ method, guard }: MethodParts, call: Incoming, bytes: number): Promise<Incoming> {
  if (call.fromService || bytes <= smallBody) return call;
  await guard.count(method, { ...call, countsAs: requestsOf(bytes) });
  return { ...call, countsAs: 0 };
}

/**
 * Returns the call with a larger `countsAs` if a large batch of values counts as several requests. Batches count only
 * in calls with `countsValues`.
 */
export function countBatch(call: Incoming, { values }: Pick<ReadRequest, 'values'>): Incoming {
  return call.countsValues ? { ...call, countsAs: call.countsAs + requestsOfValues(values) - 1 } : call;
}

/** Returns a function that does the work of one call with trace, metrics, limits and log. It throws only Faults. */
export function conducting(
  parts: MethodParts,
): <Result>(call: WireCall, answer: (incoming: Incoming) => Promise<Result>) => Promise<Result> {
  const { method, log, limit, sourceAddress, counts } = parts;
  const told = mayChange(method) ? parts.told : undefined;
  const said = seldom();
  return async (call, answerCall) => {
    const finish = counts.begin(method);
    const begun = performance.now();
    let reason: ReasonName | 'OK' = 'INTERNAL';
    try {
      const incoming = incomingCall(call, log, method, sourceAddress);
      const attributes = { 'platform.request_id': incoming.requestId };
      const name = method.path.slice(1);
      const answer = await withSpan(name, { kind: 'server', from: traceOf(call), attributes }, async (span) => {
        try {
          const tooMany = limit?.before(incoming);
          if (tooMany) throw tooMany;
          const answering = onBehalfOf(partyOf(call, incoming), () => answerCall(incoming));
          if (told !== undefined) {
            // Return the answer only when no process uses old data. This applies to a refusal, too, because its reason
            // may be a change that other processes do not know yet.
            await answering.catch(() => undefined);
            await told(incoming.deadline).catch((error: unknown) => {
              throw outcomeUnknown('the platform', error);
            });
          }
          return await answering;
        } catch (error) {
          const refused = inBodyOf(method, translate(error, !method.repeatable));
          const fault = limit?.refused(incoming, refused) ?? refused;
          span.set({ 'error.type': fault.reason });
          if (fault.meaning.httpStatus >= 500) {
            span.fail(fault.reason);
            logFailure(fault, incoming);
          }
          // The fault is returned, not thrown, because a refused call is not a failed step of the trace.
          return fault;
        }
      });
      reason = answer instanceof Fault ? answer.reason : 'OK';
      logCall(incoming, reason, performance.now() - begun);
      if (answer instanceof Fault) throw answer;
      return answer;
    } catch (error) {
      if (error instanceof Fault) reason = error.reason;
      throw error;
    } finally {
      finish(reason);
    }
  };

  /** Logs a call. Uses `debug` for a call from a service, because the gateway usually logs the request already. */
  function logCall({ log: ofCall, fromService, peer }: Incoming, reason: ReasonName | 'OK', durationMs: number): void {
    const level = fromService ? 'debug' : 'info';
    if (!ofCall.enabled(level)) return;
    ofCall[level]({ method: method.fullName, reason, durationMs: Math.round(durationMs * 10) / 10, peer }, 'call');
  }

  /** Logs every internal error, but other failures seldom. A line for each call in an outage would fill disks. */
  function logFailure(fault: Fault, { log: ofCall }: Incoming): void {
    const { reason, cause } = fault;
    const leftOut = fault.meaning.httpStatus === 500 ? 0 : said(`${reason} ${messageOf(cause ?? fault)}`);
    if (leftOut === undefined) return;
    const more = leftOut > 0 ? { leftOut } : {};
    ofCall.error({ method: method.fullName, reason, ...more, error: cause ?? fault }, 'call failed');
  }
}

/** The first 100 characters of an error message. They suffice to recognize a failure that was logged before. */
function messageOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, 100);
}

async function admit(
  { method, guard }: MethodParts, { message, parameterFault, bodyFault }: ReadRequest, call: Incoming,
  isRepeat: boolean,
): Promise<BoundContext> {
  const countsAs = isRepeat ? 0 : call.countsAs;
  const admitted = await guard.admit(method, message, { ...call, parameterFault, bodyFault, countsAs });
  const body = (): void => {
    if (bodyFault) throw bodyFault;
  };
  return { method, ...call, ...admitted, body };
}

/**
 * Admits a call and runs its handler. If the rows of the admission change meanwhile, both steps are repeated until the
 * deadline (authorization.md W2).
 * @throws errors of the guard and the handler; Fault CONFLICT if the handler must not or cannot run again
 */
export async function repeatedWhileMoved<Result>(
  parts: MethodParts, request: ReadRequest, call: Incoming,
  handle: (message: Message, context: BoundContext) => Promise<Result>,
  { isRepeatable = () => true, once = (_, act) => act(undefined) }:
    { isRepeatable?: () => boolean; once?: Once<Result> | undefined },
): Promise<Result> {
  for (let isRepeat = false; ; isRepeat = true) {
    const context = await admit(parts, request, call, isRepeat);
    try {
      return await onBehalfOfCaller(context, () => once(context, async (attempt) => {
        if (parts.method.http?.rawBody !== true) context.body();
        requireFields(parts.method.input, request.message);
        const result = await handle(request.message, attempt === undefined ? context : { ...context, attempt });
        // Refuse the call if its object is missing, even if the handler has not asked for the object.
        if (parts.method.access.check?.object) context.object();
        context.body();
        return result;
      }));
    } catch (error) {
      if (!(error instanceof AdmissionChanged)) throw error;
      if (!isRepeatable() || remaining(call.deadline) < 50) {
        throw new Fault('CONFLICT', 'permissions are changing at the moment, try again', { cause: error });
      }
      parts.counts.repeated();
    }
  }
}

/**
 * Runs work on behalf of the acting account. In queues, the members of an account are one party (ADR 0154). A caller
 * who does not belong to the account is a party of their own.
 */
export function onBehalfOfCaller<Result>(
  { account, caller }: Pick<CallContext, 'account' | 'caller'>, work: () => Result,
): Result {
  const actor = account && belongsTo(account, caller) ? account : caller;
  return actor ? onBehalfOf(`account ${actor.id}`, work) : work();
}

/** Removes the name of the field that is the REST body from the paths of violations. */
function inBodyOf({ http }: Method, fault: Fault): Fault {
  const body = http?.body ?? '';
  if (body === '' || body === '*' || !fault.violations.some(({ path }) => path.startsWith(body))) return fault;
  const { message, metadata, retryAfterSeconds, cause } = fault;
  const violations = fault.violations.map((violation) => ({ ...violation, path: pathInBody(body, violation.path) }));
  const details = { violations, metadata, cause, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  return new Fault(fault.reason, message, details);
}

/** Removes `body` from a path: `role.name` becomes `name`; `objects[3].objectType` becomes `[3].objectType`. */
function pathInBody(body: string, path: string): string {
  if (path.startsWith(`${body}.`)) return path.slice(body.length + 1);
  return path.startsWith(`${body}[`) ? path.slice(body.length) : path;
}
