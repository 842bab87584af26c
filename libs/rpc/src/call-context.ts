import type { Caller, OrganizationStanding } from '@platform/proto/orgs/v1/identity';
import type { Deadline, Logger } from '@platform/service';
import type { AccountRight, Method } from '@platform/surface';
import type { ShownCredentials } from './credential.ts';
import type { Fault } from '@platform/faults';

/** A call as it arrives, before its caller is known. */
export interface IncomingCall extends OutgoingContext, ShownCredentials {
  /** The fault of a parameter that the access rule needs; undefined if these parameters are valid. */
  readonly parameterFault: Fault | undefined;
  /** The fault of the body or of another parameter. If set, the fields of the body may be unknown. */
  readonly bodyFault: Fault | undefined;
  /** How many requests the call counts as in the caller's rate limit. 0 if the call was counted before. */
  readonly countsAs: number;
}

/** Identifies, within an account, a request that its client may repeat (`Idempotency-Key`, open-points 18.8). */
export interface RepeatKey {
  /** Hash of the client's key, the verb, the path and the query. */
  readonly key: Buffer;
  readonly body: Buffer;
}

export interface OrganizationAccount {
  readonly kind: 'organization';
  readonly id: number;
  readonly name: string;
  /** Whether the request names the account; false if the account is the default. */
  readonly named: boolean;
  /** The principals in the organization through which the caller holds relations. */
  readonly standing: OrganizationStanding;
}

/** The account for which a call acts (open-points 1.4). */
export type Account =
  OrganizationAccount | (Omit<OrganizationAccount, 'kind' | 'standing'> & { readonly kind: 'user' });

/** What a handler knows about its admitted call. Values that the access rule promises are defined; see `Handler`. */
export interface CallContext {
  readonly method: Method;
  readonly requestId: string;
  /** The deadline of the answer. Its signal also aborts when the client has gone. */
  readonly deadline: Deadline;
  readonly cancelled: AbortSignal;
  readonly log: Logger;
  /** The client's address, even behind the gateway or a trusted proxy (open-points 1.9). Empty between services. */
  readonly sourceAddress: string;
  /** The caller's token, for passing on to the next service; undefined for an anonymous caller. */
  readonly token: string | undefined;
  /** Undefined for an anonymous caller and for internal methods. */
  readonly caller: Caller | undefined;
  /** Undefined if the access rule names no account. */
  readonly account: Account | undefined;
  readonly admission: Admission;
  /** Whether the caller is the operator, with the credential of the command line. Set only for internal methods. */
  readonly byOperator?: boolean;
  /** Set if the request has an Idempotency-Key. A write can then store the answer in its transaction. */
  readonly attempt?: object;
}

export type CallerContext = CallContext & { readonly caller: Caller };
export type OrganizationContext = CallContext & { readonly account: OrganizationAccount };
export type AccountContext = CallContext & { readonly account: Account };

/**
 * The state of the rows on which the guard decided. A write checks under its locks that these rows are unchanged (W2).
 */
export interface Admission {
  readonly tokenId: number;
  readonly callerId: number;
  readonly isAdmin: boolean;
  /** 0 if no organization acts. */
  readonly organizationId: number;
  /**
   * The right of the caller's account that the method needs. Undefined if it needs none or the caller is a site admin.
   */
  readonly right: AccountRight['number'] | undefined;
  readonly principals: readonly { user: string; revision: string }[];
  /** The time at which these rows were read, on the clock of `performance.now()` (authorization.md R6). */
  readonly readAt: number;
}

/**
 * Thrown if the rows of {@link Admission} have changed. The transaction is rolled back. The server then repeats guard
 * and handler if it can, until the deadline (authorization.md W2).
 */
export class AdmissionChanged extends Error {
  override readonly name = 'AdmissionChanged';
}

/** The part of a context that outgoing calls inherit. A {@link CallContext} can be passed unchanged. */
export interface OutgoingContext {
  readonly deadline: Deadline;
  readonly requestId: string;
  readonly cancelled?: AbortSignal | undefined;
  /** The caller's token. It is sent along unless the called method is internal. */
  readonly token?: string | undefined;
  readonly log?: Logger;
}
