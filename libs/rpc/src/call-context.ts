import type { Caller, OrganizationStanding } from '@platform/proto/orgs/v1/identity';
import type { Deadline, Logger } from '@platform/service';
import type { AccountRight, Method } from '@platform/surface';
import type { ShownCredentials } from './credential.ts';
import type { Fault } from '@platform/faults';

/** A call as it arrives, before its caller is known. */
export interface IncomingCall extends OutgoingContext, ShownCredentials {
  /** What is wrong with the parameters that the access rule needs. */
  readonly parameterFault: Fault | undefined;
  /** What is wrong with the body: then its fields are unknown. */
  readonly bodyFault: Fault | undefined;
  /** So many requests of the caller's rate; 0 when it has been counted. */
  readonly countsAs: number;
}

/**
 * Names a request that its client may repeat (`Idempotency-Key`, open-points 18.8). Requests of one account with the
 * same key are one; one with another body is refused.
 */
export interface RepeatKey {
  /** Hash of the key of the client with verb, path and query. */
  readonly key: Buffer;
  /** Hash of the body. */
  readonly body: Buffer;
}

/** An organization that acts, or in which somebody acts. */
export interface OrganizationAccount {
  readonly kind: 'organization';
  readonly id: number;
  readonly name: string;
  /** The request names it; false when it stands in for an absent name. */
  readonly named: boolean;
  /** How the caller stands in it: the principals through which the caller holds relations. */
  readonly standing: OrganizationStanding;
}

/** A user who owns things: the caller, or for a site admin any user. */
export interface UserAccount {
  readonly kind: 'user';
  readonly id: number;
  readonly name: string;
  /** The request names it; false when it stands in for an absent name. */
  readonly named: boolean;
}

/** The account for which a call acts (open-points 1.4). */
export type Account = OrganizationAccount | UserAccount;

/**
 * What a handler knows of its call once the guard has admitted it. What the access rule of its method promises is never
 * undefined: see `Handler`.
 */
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
  /**
   * The address the request comes from: of a REST caller as the server that answers it found it, of a direct caller the
   * peer of the connection, or what a trusted proxy says (open-points 1.9). Empty for a call between services.
   */
  readonly sourceAddress: string;
  /** The caller's token, to pass on to the next service; undefined for an anonymous caller. */
  readonly token: string | undefined;
  /** Who calls; undefined for an anonymous caller and for internal methods. */
  readonly caller: Caller | undefined;
  /** The account for which the caller acts; undefined where the access rule names none. */
  readonly account: Account | undefined;
  /** The rows that the admission rests on, for the write path (authorization.md W2). */
  readonly admission: Admission;
  /** The operator calls, by the credential of the command line; only of internal methods. */
  readonly byOperator?: boolean;
  /** Where the request may be repeated: what the write path keeps the answer by, in its transaction (`KeptAnswers`). */
  readonly attempt?: object;
}

/** The context of a method that is for signed-in callers. */
export type CallerContext = CallContext & { readonly caller: Caller };

/** The context of a method in which an organization acts. */
export type OrganizationContext = CallContext & { readonly account: OrganizationAccount };

/** The context of a method in which an organization or a user acts. */
export type AccountContext = CallContext & { readonly account: Account };

/** The rows an admission rests on. A write is done only while they are unchanged, under its locks. */
export interface Admission {
  readonly tokenId: number;
  readonly callerId: number;
  readonly isAdmin: boolean;
  /** 0 where no organization acts. */
  readonly organizationId: number;
  /** The right of the caller's account; undefined where none was needed, or a site admin has it anyway. */
  readonly right: AccountRight['number'] | undefined;
  /** The principals that the decision used, with the revisions it knew. */
  readonly principals: readonly { user: string; revision: string }[];
  /** When these rows were read, on the clock of `performance.now()` (authorization.md R6). */
  readonly readAt: number;
}

/**
 * Thrown by the write path when the rows of {@link Admission} have changed: the transaction is rolled back, and the
 * guard decides again and calls the handler again until the deadline (authorization.md W2).
 */
export class AdmissionChanged extends Error {
  override readonly name = 'AdmissionChanged';
}

/** The part of a context that an outgoing call takes over. A {@link CallContext} is one. */
export interface OutgoingContext {
  readonly deadline: Deadline;
  readonly requestId: string;
  /** Aborts when the caller no longer waits for the answer. */
  readonly cancelled?: AbortSignal | undefined;
  /** Passed on where the method called is not internal. */
  readonly token?: string | undefined;
  readonly log?: Logger;
}
