import { type sendUnaryData, Server, type ServerUnaryCall, type UntypedServiceImplementation } from '@grpc/grpc-js';
import type { Logger, Metrics } from '@platform/service';
import { Makes, type Surface } from '@platform/surface';
import type { WatchedTls } from '@platform/tls';
import { HealthImplementation } from 'grpc-health-check';
import { type Fault, translate } from '@platform/faults';
import { refusal } from '../faults/status.ts';
import type { Guard } from '../guard/guard.ts';
import { type ArrivingLimits, boundArriving, usualArrivingLimits } from '../limits/arriving.ts';
import { directLimit, type DirectLimits } from '../limits/direct-calls.ts';
import { bind } from '../wire/transport.ts';
import { maxMessageBytes } from '../wire/wire.ts';
import { answering, type MethodParts } from './answer-call.ts';
import type { ClientStreamHandler, ServerStreamHandler, UnaryHandler } from './handler.ts';
import type { Implementation } from './implement.ts';
import { addJoinedCalls, type Answer } from './joined-server.ts';
import type { KeptAnswers } from './kept-answers.ts';
import { addReflection } from './reflection.ts';
import { createServerMetrics } from './server-metrics.ts';
import { serveStreams } from './streams.ts';
import { callByItself } from './wire-call.ts';

export interface RpcServerOptions {
  surface: Surface;
  /** Whether tools can list and describe the services of the server; default true. */
  reflection?: boolean;
  /** The name of this app. Every method with this host, and no other method, must have a handler. */
  host: string;
  services: readonly Implementation[];
  guard: Guard;
  /** Stores answers for repeated requests. Required if a method accepts `Idempotency-Key` (open-points 18.8). */
  kept?: KeptAnswers | undefined;
  told?: MethodParts['told'];
  /** Rate limits by address, for callers who do not come through the gateway. Undefined: no limits by address. */
  directLimits?: DirectLimits;
  arrivingLimits?: ArrivingLimits;
  /** How long a stream may wait for one message, in milliseconds; default 30,000. */
  streamIdleMs?: number;
  /** How long calls may continue after a stop before they are cut, in milliseconds; default 8,000. */
  stopGraceMs?: number;
  /** `host:port`; port 0 chooses a free port. */
  listen: string;
  /** Certificates for mutual TLS. If undefined, the server uses plain text. */
  tls?: WatchedTls | undefined;
  log: Logger;
  metrics?: Metrics;
}

/**
 * A running gRPC server. When it is disposed, it accepts no new connections, and waits up to `stopGraceMs` for accepted
 * calls. Server streams end at once with UNAVAILABLE, so that their callers resume at another replica.
 */
export interface RpcServer extends AsyncDisposable {
  readonly address: string;
  readonly calls: number;
}

/** Default of `stopGraceMs`, in milliseconds. The rest of `stop.timeout` is for the later steps of the stop. */
const usualStopGraceMs = 8_000;

/** Serves an app's methods behind the guard. @throws Error, for example if a method has no handler */
export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const { surface, host, guard, log } = options;
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
  });
  const counts = createServerMetrics(options.metrics);
  const joinable = new Map<string, Answer>();
  const sourceAddress = options.directLimits?.sourceAddress ?? ((peer: string) => peer);
  const arrivingLimits = options.arrivingLimits ?? usualArrivingLimits;
  const streams = serveStreams(options.streamIdleMs, arrivingLimits.stopMs);

  const own = surface.methods.filter(({ hosts }) => hosts.includes(host));
  const unserved = new Set(own.map((method) => method.path));
  for (const { methods } of options.services) {
    const definitions: Record<string, object> = {};
    const handlers: UntypedServiceImplementation = {};
    for (const { definition, handler } of methods) {
      const method = surface.byPath.get(definition.path);
      if (!method || !unserved.delete(definition.path)) {
        throw new Error(`${definition.path} is not a method of ${host}, or is repeated`);
      }
      guard.prepare(method);
      counts.prepare(method);
      // `requestReader` decodes the message, so that an undecodable message causes a Fault, not an error of grpc-js.
      definitions[method.name] = { ...definition, requestDeserialize: asItIs };
      if (method.rest.makes !== Makes.UNSPECIFIED && options.kept === undefined) {
        throw new Error(`${method.fullName} creates objects, but ${host} does not keep answers`);
      }
      const limit = options.directLimits && directLimit(method, options.directLimits);
      const parts: MethodParts = {
        method, decode: definition.requestDeserialize, guard, kept: options.kept, limit, sourceAddress, log, counts,
        told: options.told,
      };
      switch (method.kind) {
        case 'server_streaming': {
          // Encode a response before passing it on, so that unsent bytes can be counted.
          definitions[method.name] = { ...definition, requestDeserialize: asItIs, responseSerialize: asItIs };
          const sends = handler as ServerStreamHandler<unknown, unknown>;
          handlers[method.name] = streams.sending(parts, sends, definition.responseSerialize);
          break;
        }
        case 'client_streaming':
          handlers[method.name] = streams.receiving(parts, handler as ClientStreamHandler<unknown, unknown>);
          break;
        case 'unary': {
          const answer = answering(parts, handler as UnaryHandler<unknown, unknown>, {
            encode: definition.responseSerialize, decode: definition.responseDeserialize,
          });
          handlers[method.name] = (call: ServerUnaryCall<Buffer, unknown>, callback: sendUnaryData<unknown>) => {
            const incoming = callByItself(call, guard);
            answer(incoming, call.request).then(
              (response) => callback(null, response, incoming.told),
              (fault: Fault) => callback(refusal(fault)),
            );
          };
          joinable.set(definition.path, async (call, request) =>
            encoded(definition.responseSerialize, await answer(call, request)));
        }
      }
    }
    server.addService(definitions as never, handlers);
  }
  if (unserved.size > 0) throw new Error(`${host} does not implement ${[...unserved].join(', ')}`);
  const served = [...new Set(own.map(({ service }) => service))];
  const setHealth = addHealth(server, served);
  const limitReflection = (address: string) => options.directLimits?.rateLimiter.anonymous(address);
  if (options.reflection !== false) addReflection(server, surface, served, limitReflection);
  const closeJoined = addJoinedCalls(server, joinable, guard);

  const { port, close } = await bind(server, options.listen, options.tls, log);
  const arriving = boundArriving({ port, log, isService: guard.isService, sourceAddress, limits: arrivingLimits });
  setHealth('SERVING');
  return {
    address: `${options.listen.slice(0, options.listen.lastIndexOf(':'))}:${port}`,
    get calls() {
      return counts.calls;
    },
    [Symbol.asyncDispose]: async () => {
      setHealth('NOT_SERVING');
      close();
      closeJoined();
      streams.stop();
      arriving.stop();
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const cut = setTimeout(() => {
        server.forceShutdown();
        // Do not wait for grpc-js. Its shutdown may not finish if a peer hangs.
        resolve();
      }, options.stopGraceMs ?? usualStopGraceMs);
      server.tryShutdown(() => resolve());
      await ended;
      clearTimeout(cut);
      arriving[Symbol.dispose]();
    },
  };
}

const asItIs = (bytes: Buffer): Buffer => bytes;

/** @throws Fault INTERNAL for a response that cannot be encoded */
function encoded(encode: (response: unknown) => Buffer, response: unknown): Buffer {
  try {
    return encode(response);
  } catch (error) {
    throw translate(error);
  }
}

/** Adds `grpc.health.v1` for the server as a whole and for each of its services. */
function addHealth(server: Server, services: readonly string[]): (status: 'SERVING' | 'NOT_SERVING') => void {
  const names = ['', ...services];
  const health = new HealthImplementation(Object.fromEntries(names.map((name) => [name, 'NOT_SERVING' as const])));
  health.addToServer(server);
  return (status) => names.forEach((name) => health.setStatus(name, status));
}
