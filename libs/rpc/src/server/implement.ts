import type { Handler } from '../call-context.ts';
import type { MethodDefinition, RequestOf, ResponseOf, ServiceDefinition } from '../client/client.ts';

/** The handlers of one service, bound to its definition. */
export interface Implementation {
  readonly methods: readonly {
    readonly definition: MethodDefinition;
    readonly handler: Handler<unknown, unknown>;
  }[];
}

/** Handlers by method name, as the generated definition names them. */
export type Handlers<S extends ServiceDefinition> = {
  readonly [Name in keyof S]: Handler<RequestOf<S[Name]>, ResponseOf<S[Name]>>;
};

/** Binds handlers to a service definition of libs/proto. TypeScript sees that none is missing or wrong. */
export function implement<S extends ServiceDefinition>(definition: S, handlers: Handlers<S>): Implementation {
  return {
    methods: Object.entries(definition).map(([name, method]) => ({
      definition: method,
      handler: handlers[name] as unknown as Handler<unknown, unknown>,
    })),
  };
}
