import type { sendUnaryData, ServerUnaryCall, UntypedServiceImplementation } from '@grpc/grpc-js';
import { Server } from '@grpc/grpc-js';
import type { Logger, Metrics } from '@platform/service';
import { remaining, seldom, withSpan } from '@platform/service';
import type { Method, Surface } from '@platform/surface';
import type { WatchedTls } from '@platform/tls';
import { AdmissionChanged, type CallContext, type Handler } from './call-context.ts';
import { logCall } from './call-log.ts';
import { Fault } from './fault.ts';
import type { Guard } from './guard.ts';
import { addHealth } from './health.ts';
import type { Implementation } from './implement.ts';
import { type DirectLimit, directLimit, type DirectLimits } from './limits/direct-calls.ts';
import { addJoinedCalls, type Answer } from './joined-server.ts';
import { type Decode, type ReadRequest, requestReader } from './read-request.ts';
import { addReflection } from './reflection.ts';
import { missingFields } from './required.ts';
import { createServerMetrics, type ServerMetrics } from './server-metrics.ts';
import { refusal } from './status.ts';
import { translate } from './translate.ts';
import { bind } from './transport.ts';
import { callByItself, incomingCall, traceOf, type WireCall } from './wire-call.ts';
import { maxMessageBytes } from './wire.ts';

export interface RpcServerOptions {
  surface: Surface;
  /** This app. Every method that names it as its host must be implemented, and no other may be. */
  host: string;
  services: readonly Implementation[];
  guard: Guard;
  /** Of callers who do not come through the gateway; without it they are not limited. */
  directLimits?: DirectLimits;
  /** `host:port`; port 0 takes a free one. */
  listen: string;
  /** Certificates for mutual TLS; plain text without. */
  tls?: WatchedTls | undefined;
  log: Logger;
  metrics?: Metrics;
}

/** A running gRPC server. Disposing it refuses new calls, finishes those it accepted, and then closes. */
export interface RpcServer extends AsyncDisposable {
  /** `host:port` it listens on. */
  readonly address: string;
  /** Calls under way. */
  readonly calls: number;
}

/** How often it is said of a method that what it needs is away, in milliseconds. */
const saidEveryMs = 10_000;

/** Calls still under way this long after a stop are cut. */
const stopGraceMs = 8_000;

/**
 * Serves the methods of one app, each behind the guard. Health checking and reflection are always on.
 * @throws Error when a method of this host has no handler, or a handler no method
 */
export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const { surface, host, guard, log } = options;
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
  });
  const counts = createServerMetrics(options.metrics);
  const joinable = new Map<string, Answer>();

  const unserved = new Set(surface.methods.filter((method) => method.host === host).map((method) => method.path));
  for (const { methods } of options.services) {
    const definitions: Record<string, object> = {};
    const handlers: UntypedServiceImplementation = {};
    for (const { definition, handler } of methods) {
      const method = surface.byPath.get(definition.path);
      if (!method || !unserved.delete(definition.path)) throw new Error(`${definition.path} is no method of ${host}`);
      guard.prepare(method);
      counts.prepare(method);
      // Decoded in `answer`, so that a message that does not decode is a fault of ours and not one of the transport.
      definitions[method.name] = { ...definition, requestDeserialize: (bytes: Buffer) => bytes };
      const limit = options.directLimits && directLimit(method, options.directLimits);
      const answer = counted(
        method, counts, answering(method, definition.requestDeserialize, handler, guard, limit, log, counts),
      );
      handlers[method.name] = (call: ServerUnaryCall<Buffer, unknown>, callback: sendUnaryData<unknown>) => {
        answer(callByItself(call, guard)).then(
          (response) => callback(null, response),
          (fault: Fault) => callback(refusal(fault)),
        );
      };
      joinable.set(definition.path, async (call) => encoded(definition.responseSerialize, await answer(call)));
    }
    server.addService(definitions as never, handlers);
  }
  if (unserved.size > 0) throw new Error(`${host} does not implement ${[...unserved].join(', ')}`);
  const health = addHealth(server, servicesOf(surface, host));
  addReflection(server, surface, host);
  const joined = addJoinedCalls(server, joinable, guard);

  const { port, close } = await bind(server, options.listen, options.tls, log);
  health.set('SERVING');
  return {
    address: `${options.listen.slice(0, options.listen.lastIndexOf(':'))}:${port}`,
    get calls() {
      return counts.calls;
    },
    [Symbol.asyncDispose]: async () => {
      health.set('NOT_SERVING');
      close();
      joined.close();
      const cut = setTimeout(() => server.forceShutdown(), stopGraceMs);
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      clearTimeout(cut);
    },
  };
}

function servicesOf({ methods }: Surface, host: string): string[] {
  return [...new Set(methods.filter((method) => method.host === host).map(({ service }) => service))];
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

/** @throws Fault INTERNAL for a response that its codec does not take */
function encoded(encode: (response: unknown) => Buffer, response: unknown): Buffer {
  try {
    return encode(response);
  } catch (error) {
    throw translate(error);
  }
}

/** One method from the bytes of its request to its response. Whatever is thrown is a Fault. */
function answering(
  method: Method,
  decode: Decode,
  handler: Handler<unknown, unknown>,
  guard: Guard,
  limit: DirectLimit | undefined,
  log: Logger,
  counts: ServerMetrics,
): (call: WireCall) => Promise<unknown> {
  const read = requestReader(method, decode);
  const said = seldom(saidEveryMs);
  return async (call) => {
    const begun = performance.now();
    const incoming = incomingCall(call, log, method);
    const attributes = { 'platform.request_id': incoming.requestId };
    const name = method.path.slice(1);
    const answer = await withSpan(name, { kind: 'server', from: traceOf(call), attributes }, async (span) => {
      try {
        const tooMany = limit?.before(incoming);
        if (tooMany) throw tooMany;
        return await admitAndHandle(method, read(call), incoming, handler, guard, counts);
      } catch (error) {
        const refused = inBodyOf(method, translate(error, !method.repeatable));
        const fault = limit?.refused(incoming, refused) ?? refused;
        span.set({ 'error.type': fault.reason });
        if (fault.meaning.httpStatus >= 500) {
          const { reason, cause } = fault;
          span.fail(reason);
          // Each mistake of ours is told; what is away or full fails every call, and a line for each would fill disks.
          const leftOut = fault.meaning.httpStatus === 500 ? 0 : said(reason);
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
  };
}

/** Runs the handler again, with a new decision, as long as the rows the last one rested on have moved (W2). */
async function admitAndHandle(
  method: Method,
  { message, parameterFault, bodyFault }: ReadRequest,
  call: ReturnType<typeof incomingCall>,
  handler: Handler<unknown, unknown>,
  guard: Guard,
  counts: ServerMetrics,
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
