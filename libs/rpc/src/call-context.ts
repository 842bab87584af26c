import type { Caller, OrganizationStanding } from '@platform/proto/orgs/v1/identity';
import type { Deadline, Logger } from '@platform/service';
import type { AccountRight, Method } from '@platform/surface';
import type { ShownCredentials } from './credential.ts';
import type { Fault } from './faults/fault.ts';

/** A call as it arrives, before anything is known of its caller. */
export interface IncomingCall extends OutgoingContext, ShownCredentials {
  /** What the gateway found wrong with the parameters the access rule needs. */
  readonly parameterFault: Fault | undefined;
  /** It was admitted before, and the rows have moved: it has been counted. */
  readonly isRepeat: boolean;
}

/** What a handler knows of its call once the guard has admitted it. */
export interface CallContext {
  readonly method: Method;
  /** Names the request in every log line and trace, from hop to hop. */
  readonly requestId: string;
  /** By when the answer is needed. Its signal aborts then, or when the client has gone. */
  readonly deadline: Deadline;
  /** Aborts when the client has gone. */
  readonly cancelled: AbortSignal;
  /** Writes the request id with every line. */
  readonly log: Logger;
  /** The caller's token as presented, to be handed on to the next service; undefined for an anonymous caller. */
  readonly token: string | undefined;
  /** Who calls; undefined for an anonymous caller and for internal methods. */
  readonly caller: Caller | undefined;
  /**
   * The organization the caller acts in, with the caller's principals there. Undefined where the method names none, or
   * where it may be left out and the caller's own account acts.
   */
  readonly organization: OrganizationStanding | undefined;
  /** Which rows the admission rests on, for the guard of the write path (authorization.md W2). */
  readonly admission: Admission;
}

/** The rows an admission rests on. A write is done only while they still hold, under its locks. */
export interface Admission {
  readonly tokenId: number;
  readonly callerId: number;
  readonly isAdmin: boolean;
  readonly organizationId: number;
  /** The right of the caller's account; undefined where none was needed, or a site admin has it anyway. */
  readonly right: AccountRight['number'] | undefined;
  /** The principals the decision used, with the revisions it knew. */
  readonly principals: readonly { user: string; revision: string }[];
  /** When these rows were read, on the clock of `performance.now()` (authorization.md R6). */
  readonly readAt: number;
}

/** A method's implementation: `rpc/<method>.ts` exports one. */
export type Handler<Request, Response> = (request: Request, context: CallContext) => Promise<Response>;

/**
 * Implements a server-streaming method, usually an `async function*`. The next response is asked for when the previous
 * one is on its way. `context.cancelled` aborts when the stream ends for any reason: the client left, the server stops.
 */
export type ServerStreamHandler<Request, Response> = (
  request: Request, context: CallContext,
) => AsyncIterable<Response>;

/**
 * Implements a client-streaming method. The guard has seen the first request, which `requests` yields, too. Reading
 * throws a Fault when the stream ends before the client has completed it. It cannot be read a second time, so an
 * {@link AdmissionChanged} is answered with CONFLICT.
 */
export type ClientStreamHandler<Request, Response> = (
  requests: AsyncIterable<Request>, context: CallContext,
) => Promise<Response>;

/**
 * Thrown by the write path when, under its locks, the rows of {@link Admission} no longer hold: the transaction is
 * rolled back, and the guard decides anew and calls the handler again until the deadline (authorization.md W2).
 */
export class AdmissionChanged extends Error {
  override readonly name = 'AdmissionChanged';
}

/** The part of a context that an outgoing call takes over. A {@link CallContext} is one. */
export interface OutgoingContext {
  readonly deadline: Deadline;
  readonly requestId: string;
  /** Aborts when the one who waits for the answer has gone. */
  readonly cancelled?: AbortSignal | undefined;
  /** Handed on where the method called is not internal. */
  readonly token?: string | undefined;
  readonly log?: Logger;
}
