import { type ServiceError, status as Code } from '@grpc/grpc-js';
import { isAnswer } from '../faults/status.ts';
import { unreached } from './connections.ts';

/** Message of grpc-js for a stream that a stopping server has not started (RFC 9113 §8.7). */
const notBegun = 'Stream refused by server';

/**
 * Whether a failed call may be sent to another replica: only after UNAVAILABLE, because other refusals would be the
 * same at every replica. A replica that could not be reached has not received the call. A replica whose connection was
 * lost during the call may have executed the call, so only repeatable calls are sent again.
 */
export function mayTryAnother(error: ServiceError, repeatable: boolean): boolean {
  return error.code === Code.UNAVAILABLE && (repeatable || !wasAsked(error));
}

function wasAsked({ details }: ServiceError): boolean {
  return !details.startsWith(unreached) && details !== notBegun;
}

/** Whether the service may have received the call, and failed without an answer of its own. */
export function wasUnderWay(error: ServiceError): boolean {
  return error.code === Code.UNAVAILABLE && wasAsked(error) && !isAnswer(error);
}
