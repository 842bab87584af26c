import type { Promises } from '@platform/proto/access';
import type { AccountContext, CallContext, CallerContext, OrganizationContext } from '../call-context.ts';
import type { MethodDefinition, RequestOf, ResponseOf } from '../client/client.ts';
import type { FoundObject } from '../guard/guard-sources.ts';

/**
 * A method's implementation: `rpc/<method>.ts` exports one. Its kind, request, response and context follow from the
 * method: `Handler<typeof TeamServiceService.getTeam>`.
 */
export type Handler<Method extends MethodDefinition> = Method extends { responseStream: true }
  ? ServerStreamHandler<RequestOf<Method>, ResponseOf<Method>, ContextOf<Method>>
  : Method extends { requestStream: true }
    ? ClientStreamHandler<RequestOf<Method>, ResponseOf<Method>, ContextOf<Method>>
    : UnaryHandler<RequestOf<Method>, ResponseOf<Method>, ContextOf<Method>>;

/** The context of a method: what its options promise is never undefined. */
export type ContextOf<Method extends MethodDefinition> =
  Method['path'] extends keyof Promises ? Promised<Promises[Method['path']]> : CallContext;

type Promised<Of extends Promises[keyof Promises]> =
  & CallContext
  & (Of['caller'] extends 'always' ? CallerContext : unknown)
  & (Of['account'] extends 'organization' ? OrganizationContext : unknown)
  & (Of['account'] extends 'any' ? AccountContext : unknown)
  & (Of['object'] extends 'always' ? ObjectContext : unknown)
  & (Of['body'] extends 'raw' ? RawBodyContext : unknown);

/** The context of a method whose access rule checks an object. */
export interface ObjectContext {
  /**
   * The object, which belongs to the acting account. Call it once the request is validated: existence comes after that
   * (open-points 1.5).
   * @throws Fault when it does not exist or belongs to another account: NOT_FOUND, or `missing` of the rule
   */
  object(): FoundObject;
}

/** The context of a method whose body is a `google.api.HttpBody`. */
export interface RawBodyContext {
  /**
   * Call it before the body is read. What keeps it from being read does not refuse the call by itself, because such a
   * method may check something else first, such as a secret.
   * @throws Fault when the body is too large or compressed, or a parameter is wrong
   */
  body(): void;
}

/** The context as the server makes it: with everything that any method promises. */
export type BoundContext = CallContext & ObjectContext & RawBodyContext;

/** Implements a method with one request and one response. */
export type UnaryHandler<Request, Response, Context = BoundContext> = (
  request: Request, context: Context,
) => Promise<Response>;

/**
 * Implements a server-streaming method, usually an `async function*`. The next response is asked for when the previous
 * one is on its way. `context.cancelled` aborts when the stream ends for any reason: the client left, the server stops.
 */
export type ServerStreamHandler<Request, Response, Context = BoundContext> = (
  request: Request, context: Context,
) => AsyncIterable<Response>;

/**
 * Implements a client-streaming method. The guard has seen the first request, which `requests` yields, too. Reading
 * throws a Fault when the stream ends before the client has completed it. It cannot be read a second time, so an
 * `AdmissionChanged` is answered with CONFLICT.
 */
export type ClientStreamHandler<Request, Response, Context = BoundContext> = (
  requests: AsyncIterable<Request>, context: Context,
) => Promise<Response>;
