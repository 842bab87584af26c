import type { Surface } from '@platform/surface';
import type { OutgoingContext } from '../call-context.ts';
import { wire } from '../wire/wire.ts';
import { type CallerOptions, openReplicas, type Requests } from './replicas.ts';

/** A service definition as generated in libs/proto (`IdentityServiceService`). */
export type ServiceDefinition = Readonly<Record<string, MethodDefinition>>;

export interface MethodDefinition {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  // The generated codecs are typed per message; here they are only passed on.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly requestSerialize: (message: any) => Buffer;
  // grpc-js passes bytes, the platform's server passes a RequestReader.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly requestDeserialize: (request: any) => any;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly responseSerialize: (message: any) => Buffer;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly responseDeserialize: (bytes: Buffer) => any;
}

export type RequestOf<M extends MethodDefinition> = ReturnType<M['requestDeserialize']>;
export type ResponseOf<M extends MethodDefinition> = ReturnType<M['responseDeserialize']>;

/**
 * Calls one method. A failed call throws a Fault. Leaving the `for await` loop over a server stream cancels the call.
 * If the service cuts the stream, the loop throws the Fault UNAVAILABLE.
 */
type ClientMethod<M extends MethodDefinition> = M extends { responseStream: true }
  ? (request: RequestOf<M>, context: OutgoingContext) => AsyncGenerator<ResponseOf<M>, void, undefined>
  : M extends { requestStream: true }
    ? (requests: Requests<RequestOf<M>>, context: OutgoingContext) => Promise<ResponseOf<M>>
    : (request: RequestOf<M>, context: OutgoingContext) => Promise<ResponseOf<M>>;

export type RpcClient<S extends ServiceDefinition> = {
  readonly [Name in keyof S]: ClientMethod<S[Name]>;
} & AsyncDisposable;

export interface PeerOptions extends CallerOptions {
  surface: Surface;
}

export interface ConnectOptions extends PeerOptions {
  /** Name of the service in its certificate, and in faults unless `label` is set. */
  name: string;
  /** Each address is the `host:port` of one replica, or of a name that stands for several replicas. */
  addresses: readonly string[];
}

/** Creates a client of one service. The client connects at the first call. Disposing it closes the connections. */
export function connect<S extends ServiceDefinition>(definition: S, options: ConnectOptions): RpcClient<S> {
  const replicas = openReplicas(options.name, options.addresses, options);
  const methods = Object.entries(definition).map(([name, generated]) => {
    const described = options.surface.byPath.get(generated.path);
    if (!described) throw new Error(`${generated.path} is not in the descriptor image; run npm run generate`);
    const method = { ...generated, repeatable: described.repeatable };
    const internal = described.access.who === 'internal';
    const entriesOf = ({ token }: OutgoingContext): [string, string][] =>
      // The rate limit has already counted the request of this caller, so the outgoing call counts as 0.
      !internal && token !== undefined ? [[wire.authorization, `Bearer ${token}`], [wire.countsAs, '0']] : [];
    const call = {
      unary: (request: unknown, context: OutgoingContext) =>
        replicas.call(method, request, context, entriesOf(context)),
      server_streaming: (request: unknown, context: OutgoingContext) =>
        replicas.receive(method, request, context, entriesOf(context)),
      client_streaming: (requests: Requests<unknown>, context: OutgoingContext) =>
        replicas.send(method, requests, context, entriesOf(context)),
    }[described.kind];
    return [name, call] as const;
  });
  const close = () => replicas[Symbol.asyncDispose]();
  return { ...Object.fromEntries(methods), [Symbol.asyncDispose]: close } as RpcClient<S>;
}
