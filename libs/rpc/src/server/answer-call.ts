import { type Logger, remaining, seldom, withSpan } from '@platform/service';
import type { Method } from '@platform/surface';
import { AdmissionChanged, type CallContext, type Handler } from '../call-context.ts';
import { Fault } from '../faults/fault.ts';
import { translate } from '../faults/translate.ts';
import type { Guard } from '../guard/guard.ts';
import type { DirectLimit } from '../limits/direct-calls.ts';
import { logCall } from './call-log.ts';
import { type Decode, type ReadRequest, requestReader } from './read-request.ts';
import { missingFields } from './required.ts';
import type { ServerMetrics } from './server-metrics.ts';
import { incomingCall, traceOf, type WireCall } from './wire-call.ts';

/** What one method is answered with. */
interface Parts {
  readonly method: Method;
  readonly decode: Decode;
  readonly handler: Handler<unknown, unknown>;
  readonly guard: Guard;
  readonly limit: DirectLimit | undefined;
  readonly log: Logger;
  readonly counts: ServerMetrics;
}

/** By so much of its message one cause is told from another. */
const causeLength = 100;

/** One method from the bytes of its request to its response, counted. Whatever is thrown is a Fault. */
export function answering(parts: Parts): (call: WireCall) => Promise<unknown> {
  const { method, decode, log, limit, counts } = parts;
  const read = requestReader(method, decode);
  const said = seldom();
  return counted(method, counts, async (call) => {
    const begun = performance.now();
    const incoming = incomingCall(call, log, method);
    const attributes = { 'platform.request_id': incoming.requestId };
    const name = method.path.slice(1);
    const answer = await withSpan(name, { kind: 'server', from: traceOf(call), attributes }, async (span) => {
      try {
        const tooMany = limit?.before(incoming);
        if (tooMany) throw tooMany;
        return await admitAndHandle(parts, read(call), incoming);
      } catch (error) {
        const refused = inBodyOf(method, translate(error, !method.repeatable));
        const fault = limit?.refused(incoming, refused) ?? refused;
        span.set({ 'error.type': fault.reason });
        if (fault.meaning.httpStatus >= 500) {
          const { reason, cause } = fault;
          span.fail(reason);
          // Each mistake of ours is told; what is away or full fails every call, and a line for each would fill disks.
          const leftOut = fault.meaning.httpStatus === 500 ? 0 : said(`${reason} ${messageOf(cause ?? fault)}`);
          if (leftOut !== undefined) {
            const more = leftOut > 0 ? { leftOut } : {};
            incoming.log.error({ method: method.fullName, reason, ...more, error: cause ?? fault }, 'call failed');
          }
        }
        // Answered, not thrown: what a caller may not do is no failed step.
        return fault;
      }
    });
    const reason = answer instanceof Fault ? answer.reason : 'OK';
    logCall({ method, call: incoming, reason, durationMs: performance.now() - begun });
    if (answer instanceof Fault) throw answer;
    return answer;
  });
}

function messageOf(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, causeLength);
}

/** Counts what a method answers. */
function counted<Response>(
  method: Method,
  counts: ServerMetrics,
  answer: (call: WireCall) => Promise<Response>,
): (call: WireCall) => Promise<Response> {
  return async (call) => {
    const finish = counts.begin(method);
    try {
      const response = await answer(call);
      finish('OK');
      return response;
    } catch (error) {
      finish((error as Fault).reason);
      throw error;
    }
  };
}

/** Runs the handler again, with a new decision, as long as the rows the last one rested on have moved (W2). */
async function admitAndHandle(
  { method, handler, guard, counts }: Parts,
  { message, parameterFault, bodyFault }: ReadRequest,
  call: ReturnType<typeof incomingCall>,
): Promise<unknown> {
  for (let isRepeat = false; ; isRepeat = true) {
    const admitted = await guard.admit(method, message, { ...call, parameterFault, isRepeat });
    const context: CallContext = { method, ...call, ...admitted };
    try {
      if (bodyFault) throw bodyFault;
      const missing = missingFields(method.input, message);
      if (missing.length > 0) {
        throw new Fault('VALIDATION_FAILED', 'required fields are missing', { violations: missing });
      }
      return await handler(message, context);
    } catch (error) {
      if (!(error instanceof AdmissionChanged)) throw error;
      if (remaining(call.deadline) < 50) {
        throw new Fault('CONFLICT', 'permissions are changing at the moment, try again', { cause: error });
      }
      counts.repeated();
    }
  }
}

/** Paths as the caller of either side knows them: where one field is the body, REST callers do not see its name. */
function inBodyOf({ http }: Method, fault: Fault): Fault {
  const body = http?.body ?? '';
  if (body === '' || body === '*' || !fault.violations.some(({ path }) => path.startsWith(body))) return fault;
  const { message, metadata, retryAfterSeconds, cause } = fault;
  const violations = fault.violations.map((violation) => ({ ...violation, path: pathInBody(body, violation.path) }));
  const details = { violations, metadata, cause, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  return new Fault(fault.reason, message, details);
}

/** `role.name` is `name`, `objects[3].objectType` is `[3].objectType`. */
function pathInBody(body: string, path: string): string {
  if (path.startsWith(`${body}.`)) return path.slice(body.length + 1);
  return path.startsWith(`${body}[`) ? path.slice(body.length) : path;
}
