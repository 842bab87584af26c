import type { Reason } from '@platform/proto/reason';
import { Conflict, DeadlineExceeded, Unavailable } from '@platform/service';
import { type ReasonMeaning, reasons } from '@platform/surface';

export type ReasonName = Exclude<keyof typeof Reason, 'REASON_UNSPECIFIED' | 'UNRECOGNIZED'>;

/** One problem of a request. `path` is a JSON path such as `[36].objectType`, or the name of a parameter. */
export interface Violation {
  path: string;
  /** For people. */
  message: string;
}

export const mostViolations = 20;

export interface FaultDetails {
  /** Only the first {@link mostViolations} are kept. */
  violations?: readonly Violation[];
  /** Values for programs, in addition to the reason (`ErrorInfo.metadata`). */
  metadata?: Readonly<Record<string, string>>;
  /** After how many seconds the caller may try again (`Retry-After`). */
  retryAfterSeconds?: number;
  /** The internal cause, for the log; never sent to the caller. */
  cause?: unknown;
}

/** An intended refusal. Programs use the reason. People read the message. {@link translate} converts other errors. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly reason: ReasonName;
  readonly violations: readonly Violation[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly retryAfterSeconds: number | undefined;

  constructor(reason: ReasonName, message: string, details: FaultDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.reason = reason;
    this.violations = details.violations?.slice(0, mostViolations) ?? [];
    this.metadata = details.metadata ?? {};
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  /** gRPC code and HTTP status of the reason. */
  get meaning(): ReasonMeaning {
    return reasons.get(this.reason)!;
  }
}

/** The refusal of a request with a list that is too long (open-points 1.9). */
export function tooManyItems(path: string, most: number, reason: ReasonName = 'TOO_MANY_ITEMS'): Fault {
  const message = `must have at most ${most} items`;
  return new Fault(reason, `${path} ${message}`, { violations: [{ path, message }] });
}

/** The fault for an unexpected error. The caller does not see the cause. */
export function internalFault(cause: unknown): Fault {
  return new Fault('INTERNAL', 'internal error', { cause });
}

/** The fault if `what` is not available now. The caller may try again after a second. */
export function unavailable(what: string, cause?: unknown): Fault {
  return new Fault('UNAVAILABLE', `${what} is not available at the moment, try again`, { retryAfterSeconds: 1, cause });
}

/** The answer if `what` stopped answering during a change: the change may or may not have been made. */
export function outcomeUnknown(what: string, cause?: unknown): Fault {
  const message = `${what} stopped answering: the change may or may not have been made, check before you try again`;
  return new Fault('UNAVAILABLE', message, { retryAfterSeconds: 1, metadata: { outcome: 'unknown' }, cause });
}

export function deadlineExceeded(cause?: unknown): Fault {
  return new Fault('DEADLINE_EXCEEDED', 'the request took too long', { cause });
}

/** The fault for an object that does not exist, or whose existence the caller must not know. */
export function notFound(what = 'Not Found'): Fault {
  return new Fault('NOT_FOUND', what);
}

/** The refusal of a caller without a token; the same at the gateway and in services. */
export function tokenRequired(): Fault {
  return new Fault('UNAUTHENTICATED', 'token is required');
}

/** Returns the fault for anything that a handler throws. @param changes whether the call may have changed something */
export function translate(error: unknown, changes = false): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof DeadlineExceeded) return deadlineExceeded(error);
  if (error instanceof Unavailable) {
    const isOpen = changes && error.outcome === 'unknown';
    return isOpen ? outcomeUnknown('the platform', error) : unavailable('the platform', error);
  }
  if (error instanceof Conflict) {
    return new Fault('CONFLICT', 'another request is changing the same object, try again', { cause: error });
  }
  return internalFault(error);
}
