import type { Caller, OrganizationStanding } from '@platform/proto/orgs/v1/identity';
import type { Deadline, Logger } from '@platform/service';
import type { AccountRight, Method } from '@platform/surface';
import type { ShownCredentials } from './credential.ts';
import type { Fault } from '@platform/faults';

/** A call as it arrives, before its caller is known. */
export interface IncomingCall extends OutgoingContext, ShownCredentials {
  /** A fault that prevents the guard from applying the access rule, such as an invalid path parameter. */
  readonly parameterFault: Fault | undefined;
  /** Any other fault of the request, for example of the body. If there is a fault, body fields may be unset. */
  readonly bodyFault: Fault | undefined;
  /** How many requests the call counts as in the caller's rate limit. 0 if the call was counted before. */
  readonly countsAs: number;
}

/** Identifies a request with an `Idempotency-Key` among the requests of one account (open-points 18.8). */
export interface RepeatKey {
  /** Hash of the `Idempotency-Key`, the verb, the path, and the query without tokens. */
  readonly key: Buffer;
  readonly body: Buffer;
}

export interface OrganizationAccount {
  readonly kind: 'organization';
  readonly id: number;
  readonly name: string;
  /** False if the request omits an optional field that would name the account. */
  readonly named: boolean;
  /** The organization, with the principals through which the caller holds relations there. */
  readonly standing: OrganizationStanding;
}

/** The account for which a call acts (open-points 1.4). */
export type Account =
  OrganizationAccount | (Omit<OrganizationAccount, 'kind' | 'standing'> & { readonly kind: 'user' });

/**
 * What a handler knows about an admitted call. `Handler` excludes `undefined` where the access rule guarantees a value.
 */
export interface CallContext {
  readonly method: Method;
  readonly requestId: string;
  /** The deadline of the response. Its signal also aborts if the call is cancelled. */
  readonly deadline: Deadline;
  readonly cancelled: AbortSignal;
  readonly log: Logger;
  /** The address of the client of a REST request or a direct gRPC call (open-points 1.9). Empty for other calls. */
  readonly sourceAddress: string;
  /** The caller's token. Undefined for a call without a token, and for anonymous and internal methods. */
  readonly token: string | undefined;
  /** Undefined for a call without a token, and for anonymous and internal methods. */
  readonly caller: Caller | undefined;
  /** Undefined if the access rule names no account. */
  readonly account: Account | undefined;
  readonly admission: Admission;
  /** Whether the caller is the operator. Set only for internal methods. */
  readonly byOperator?: boolean;
  /** Set if the request has an `Idempotency-Key`. A write can then store the response in its transaction. */
  readonly attempt?: object;
}

export type CallerContext = CallContext & { readonly caller: Caller };
export type OrganizationContext = CallContext & { readonly account: OrganizationAccount };
export type AccountContext = CallContext & { readonly account: Account };

/**
 * The state of the rows on which the guard based its decision. The write path confirms it before the commit
 * (authorization.md W2, R6).
 */
export interface Admission {
  readonly tokenId: number;
  readonly callerId: number;
  readonly isAdmin: boolean;
  /** 0 if the acting account is not an organization. */
  readonly organizationId: number;
  /**
   * The right that the method requires of the caller's account. Undefined if the method requires none, or if the caller
   * is a site admin.
   */
  readonly right: AccountRight['number'] | undefined;
  readonly principals: readonly { user: string; revision: string }[];
  /** The time at which the rows were read, on the clock of `performance.now()` (authorization.md R6). */
  readonly readAt: number;
}

/**
 * Thrown if rows have changed since the guard or the handler read them. The server then runs guard and handler again.
 * If a stream has begun or the deadline is near, the call fails with CONFLICT instead (authorization.md W2).
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
