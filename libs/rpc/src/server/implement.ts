import type { MethodDefinition, ServiceDefinition } from '../client/client.ts';
import type { ClientStreamHandler, Handler, ServerStreamHandler, UnaryHandler } from './handler.ts';

export interface Implementation {
  readonly methods: readonly { readonly definition: MethodDefinition; readonly handler: AnyHandler }[];
}

type AnyHandler =
  | UnaryHandler<unknown, unknown> | ServerStreamHandler<unknown, unknown> | ClientStreamHandler<unknown, unknown>;

export type Handlers<S extends ServiceDefinition> = { readonly [Name in keyof S]: Handler<S[Name]> };

/** Binds handlers to a service definition of libs/proto. TypeScript checks the presence and type of each handler. */
export function implement<S extends ServiceDefinition>(definition: S, handlers: Handlers<S>): Implementation {
  const methods = Object.entries(definition).map(([name, method]) =>
    ({ definition: method, handler: handlers[name] as unknown as AnyHandler }));
  return { methods };
}
