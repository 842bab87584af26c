import type { IncomingMessage } from 'node:http';
import { Fault, translate } from '@platform/faults';
import { CallerGone, type Limits } from '@platform/http';
import { requestsOf } from '@platform/limits';
import { isForm } from './endpoint/body.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import type { CallContext, EndpointRequest } from './endpoint-request.ts';
import type { Message } from './json/decode-message.ts';
import { type CallFacts, callEntries } from './upstream.ts';

/** Reasons for which a caller is refused before the body is read. */
const ofCaller: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'ACCOUNT_DISABLED', 'RATE_LIMITED']);
/** Fault that is sent in place of a body that has not been read yet. */
const unread = new Fault('BODY_TOO_LARGE', 'the body has not been read');

/**
 * Asks the service, before the body is read, whether it refuses the caller. The call contains a fault in place of the
 * body, so the call changes nothing. Returns the service's fault if the service refuses the caller, or if the fault has
 * a 5xx status.
 * @throws CallerGone
 */
export async function refusalBeforeBody(
  { endpoint, replicas }: EndpointRequest, message: Message, context: CallContext, facts: Omit<CallFacts, 'bodyFault'>,
): Promise<Fault | undefined> {
  const entries = callEntries({ ...facts, bodyFault: unread });
  // A call with `bodyFault` changes nothing, so it may be repeated even if the method is not repeatable.
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
 * Returns how many requests a body counts as, according to the headers. A body over the limit counts as one request,
 * because the body will not be read. A form of unknown length counts like a form of the maximum size. Any other body of
 * unknown length counts as one request.
 */
export function requestsBeforeBody({ headers }: IncomingMessage, { body }: Endpoint, limits: Limits): number {
  const isOfForm = body?.form !== undefined && isForm(headers['content-type']);
  const most = isOfForm ? limits.form : limits.body;
  const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
  if (length === undefined) return isOfForm ? requestsOf(most) : 1;
  return length <= most ? requestsOf(length) : 1;
}
