import type { Surface } from '@platform/surface';
import type { OutgoingContext } from '../call-context.ts';
import { wire } from '../wire/wire.ts';
import { type CallerOptions, openReplicas } from './unary.ts';

/** A service definition as generated in libs/proto (`IdentityServiceService`). */
export type ServiceDefinition = Readonly<Record<string, MethodDefinition>>;

/** One method of a {@link ServiceDefinition}. */
export interface MethodDefinition {
  readonly path: string;
  readonly requestStream: false;
  readonly responseStream: false;
  // The generated codecs are typed per message; here they are only handed through.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly requestSerialize: (message: any) => Buffer;
  // Given bytes by grpc-js, a RequestReader by our server.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly requestDeserialize: (request: any) => any;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly responseSerialize: (message: any) => Buffer;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly responseDeserialize: (bytes: Buffer) => any;
}

/** The request message of a method. */
export type RequestOf<M extends MethodDefinition> = ReturnType<M['requestDeserialize']>;
/** The response message of a method. */
export type ResponseOf<M extends MethodDefinition> = ReturnType<M['responseDeserialize']>;

/** A service of ours as its callers see it: each method answers a promise, and throws a Fault when it is refused. */
export type RpcClient<S extends ServiceDefinition> = {
  readonly [Name in keyof S]: (request: RequestOf<S[Name]>, context: OutgoingContext) => Promise<ResponseOf<S[Name]>>;
} & AsyncDisposable;

/** What every client of our services is made with. */
export interface PeerOptions extends CallerOptions {
  /** The API; tells which methods may be repeated and which are internal. */
  surface: Surface;
}

export interface ConnectOptions extends PeerOptions {
  /** Name of the service, for faults and traces, and for its certificate. */
  name: string;
  /** `host:port` of each replica. */
  addresses: readonly string[];
}

/** A client of one service. Channels open at first use; dispose it to close them. */
export function connect<S extends ServiceDefinition>(definition: S, options: ConnectOptions): RpcClient<S> {
  const replicas = openReplicas(options.name, options.addresses, options);
  const methods = Object.entries(definition).map(([name, generated]) => {
    const described = options.surface.byPath.get(generated.path);
    if (!described) throw new Error(`${generated.path} is not in the descriptor image; run npm run generate`);
    const method = { ...generated, repeatable: described.repeatable };
    const internal = described.access.who === 'internal';
    const call = (request: unknown, context: OutgoingContext) => {
      const entries: [string, string][] = [];
      if (!internal && context.token !== undefined) entries.push([wire.authorization, `Bearer ${context.token}`]);
      return replicas.call(method, request, context, entries);
    };
    return [name, call] as const;
  });
  return {
    ...Object.fromEntries(methods),
    [Symbol.asyncDispose]: () => replicas[Symbol.asyncDispose](),
  } as RpcClient<S>;
}
