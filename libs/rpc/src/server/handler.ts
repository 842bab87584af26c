import type { Promises } from '@platform/proto/access';
import type { AccountContext, CallContext, CallerContext, OrganizationContext } from '../call-context.ts';
import type { MethodDefinition, RequestOf, ResponseOf } from '../client/client.ts';
import type { FoundObject } from '../guard/guard-sources.ts';

/** Implements a method. The method determines the handler's types: `Handler<typeof TeamServiceService.getTeam>`. */
export type Handler<Method extends MethodDefinition> = Method extends { responseStream: true }
  ? ServerStreamHandler<RequestOf<Method>, ResponseOf<Method>, ContextOf<Method>>
  : Method extends { requestStream: true }
    ? ClientStreamHandler<RequestOf<Method>, ResponseOf<Method>, ContextOf<Method>>
    : UnaryHandler<RequestOf<Method>, ResponseOf<Method>, ContextOf<Method>>;

/** The context of a method's handler. If the method's options guarantee a value, the value is never undefined. */
type ContextOf<Method extends MethodDefinition> =
  Method['path'] extends keyof Promises ? Promised<Promises[Method['path']]> : CallContext;

type Promised<Of extends Promises[keyof Promises]> =
  & CallContext
  & (Of['caller'] extends 'always' ? CallerContext : unknown)
  & (Of['account'] extends 'organization' ? OrganizationContext : unknown)
  & (Of['account'] extends 'any' ? AccountContext : unknown)
  & (Of['object'] extends 'always' ? ObjectContext : unknown)
  & (Of['body'] extends 'raw' ? RawBodyContext : unknown);

export interface ObjectContext {
  /**
   * Returns the object of the access rule. It belongs to the acting account. Validate the request first, because
   * invalid values are reported before a missing object (open-points 1.5).
   * @throws Fault if the object does not exist or belongs to another account: NOT_FOUND, or `missing` of the rule
   */
  object(): FoundObject;
}

interface RawBodyContext {
  /**
   * Refuses a request whose body cannot be read. Only methods with a raw body (`google.api.HttpBody`) need this call,
   * before they use the body. For them, the server itself refuses the request only after the handler has run, so that
   * the handler can check a secret first. For other methods, the server refuses the request before the handler runs.
   * @throws Fault, for example if the body is too large or a parameter is invalid
   */
  body(): void;
}

/** The context as the server creates it for every method. */
export type BoundContext = CallContext & ObjectContext & RawBodyContext;

export type UnaryHandler<Request, Response, Context = BoundContext> =
  (request: Request, context: Context) => Promise<Response>;

/**
 * Implements a server-streaming method, usually as an `async function*`. The server asks for the next response when
 * there is room to send it. `context.cancelled` aborts when the client has gone or the server stops.
 */
export type ServerStreamHandler<Request, Response, Context = BoundContext> =
  (request: Request, context: Context) => AsyncIterable<Response>;

/**
 * Implements a client-streaming method. `requests` includes the first request, on which the guard has decided. Reading
 * throws an error if the client does not complete the stream. Requests cannot be read again. So after
 * `AdmissionChanged`, the call fails with CONFLICT and the handler does not run again.
 */
export type ClientStreamHandler<Request, Response, Context = BoundContext> =
  (requests: AsyncIterable<Request>, context: Context) => Promise<Response>;
