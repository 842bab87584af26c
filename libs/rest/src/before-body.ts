import type { IncomingMessage } from 'node:http';
import { Fault, translate } from '@platform/faults';
import { CallerGone, type Limits } from '@platform/http';
import { requestsOf } from '@platform/limits';
import { isForm } from './endpoint/body.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import type { CallContext, EndpointRequest } from './endpoint-request.ts';
import type { Message } from './json/decode-message.ts';
import { type CallFacts, callEntries } from './upstream.ts';

/** Refusals of the caller, after which no body is read. */
const ofCaller: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'ACCOUNT_DISABLED', 'RATE_LIMITED']);
/** Fault that is sent in place of a body that has not been read yet. */
const unread = new Fault('BODY_TOO_LARGE', 'the body has not been read');

/**
 * Asks the service whether it refuses the caller, before the body is read. The call contains a fault in place of the
 * body, so it changes nothing. Returns the fault if it concerns the caller or is a failure of the service.
 * @throws CallerGone
 */
export async function refusalBeforeBody(
  { endpoint, replicas }: EndpointRequest, message: Message, context: CallContext, facts: Omit<CallFacts, 'bodyFault'>,
): Promise<Fault | undefined> {
  const entries = callEntries({ ...facts, bodyFault: unread });
  // This call changes nothing, so it may be repeated even if the method is not repeatable.
  const question = { ...endpoint.call, repeatable: true };
  try {
    if (endpoint.isStreamed) await replicas.receive(question, message, context, entries).next();
    else await replicas.call(question, message, context, entries);
    return undefined;
  } catch (error) {
    if (error instanceof CallerGone) throw error;
    const fault = translate(error);
    return ofCaller.has(fault.reason) || fault.meaning.httpStatus >= 500 ? fault : undefined;
  }
}

/**
 * Returns how many requests a body counts as, before it is read. A body over the limit counts as one, because it will
 * not be read. A form of unknown length counts as the largest form. Another body of unknown length counts as one.
 */
export function requestsBeforeBody({ headers }: IncomingMessage, { body }: Endpoint, limits: Limits): number {
  const isOfForm = body?.form !== undefined && isForm(headers['content-type']);
  const most = isOfForm ? limits.form : limits.body;
  const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
  if (length === undefined) return isOfForm ? requestsOf(most) : 1;
  return length <= most ? requestsOf(length) : 1;
}
