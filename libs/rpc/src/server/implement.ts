import type { ClientStreamHandler, Handler, ServerStreamHandler } from '../call-context.ts';
import type { MethodDefinition, RequestOf, ResponseOf, ServiceDefinition } from '../client/client.ts';

/** The handlers of one service, bound to its definition. */
export interface Implementation {
  readonly methods: readonly {
    readonly definition: MethodDefinition;
    readonly handler: AnyHandler;
  }[];
}

/** A handler of a method of any kind; the kind of its definition decides which one it is. */
export type AnyHandler =
  | Handler<unknown, unknown> | ServerStreamHandler<unknown, unknown> | ClientStreamHandler<unknown, unknown>;

type HandlerOf<M extends MethodDefinition> = M extends { responseStream: true }
  ? ServerStreamHandler<RequestOf<M>, ResponseOf<M>>
  : M extends { requestStream: true }
    ? ClientStreamHandler<RequestOf<M>, ResponseOf<M>>
    : Handler<RequestOf<M>, ResponseOf<M>>;

/** Handlers by method name, as the generated definition names them. */
export type Handlers<S extends ServiceDefinition> = { readonly [Name in keyof S]: HandlerOf<S[Name]> };

/** Binds handlers to a service definition of libs/proto. TypeScript checks that none is missing or wrong. */
export function implement<S extends ServiceDefinition>(definition: S, handlers: Handlers<S>): Implementation {
  return {
    methods: Object.entries(definition).map(([name, method]) => ({
      definition: method,
      handler: handlers[name] as unknown as AnyHandler,
    })),
  };
}
