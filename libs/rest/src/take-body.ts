import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody, type Limits, readBody } from '@platform/http';
import type { CallersMemory, Fault } from '@platform/rpc';
import type { BodyRule } from './endpoint/body.ts';
import type { Message } from './json/decode-message.ts';

/** What came of the body of a request. */
export interface TakenBody {
  /** What the service is told, so that it refuses in the right order. */
  readonly fault?: Fault | undefined;
  /** What no service needs to be asked about: the body is too slow, or there is no memory for it. */
  readonly answerNow?: Fault;
  /** What is left of the body is not worth reading: the connection ends. */
  readonly close: boolean;
  /** Bytes counted in memory, to be given back. */
  readonly held: number;
}

const empty = Buffer.alloc(0);
/** An unwanted body up to this size is read away, a larger one costs the connection. */
const unwantedBody = 64 * 1024;

/** Whether an unread body would be more to read away than a new connection costs. */
export function leavesTooMuch(request: IncomingMessage): boolean {
  return hasBody(request) && !(Number(request.headers['content-length']) <= unwantedBody);
}

/** Takes the body of a request into the message, as far as it fits. Without a rule a body is ignored. */
export async function takeBody(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  rule: BodyRule | undefined,
  message: Message,
  { limits, memory, source }: { readonly limits: Limits; readonly memory: CallersMemory; readonly source: string },
): Promise<TakenBody> {
  const { headers } = request;
  const contentType = headers['content-type'];
  if (!hasBody(request)) {
    const fault = await rule?.read({ contentType, bytes: empty }, message);
    return { fault, close: false, held: 0 };
  }
  const close = leavesTooMuch(request);
  if (!rule) return { close, held: 0 };
  const refusedType = rule.refuseType(headers);
  if (refusedType) return { fault: refusedType, close, held: 0 };

  const isForm = rule.multipart && contentType?.toLowerCase().startsWith('multipart/');
  const most = isForm ? limits.form : limits.body;
  const body = await readBody(request, response, { most, withinMs: limits.bodyMs, memory, source });
  if ('bytes' in body) {
    const fault = await rule.read({ contentType, bytes: body.bytes }, message);
    return { fault, close: false, held: body.held };
  }
  return body.reason === 'BODY_TOO_LARGE'
    ? { fault: body, close: true, held: 0 }
    : { answerNow: body, close: true, held: 0 };
}
