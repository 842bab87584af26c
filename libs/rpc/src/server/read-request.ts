import { RequestReader } from '@platform/proto/request-reader';
import type { Method } from '@platform/surface';
import { Fault } from '@platform/faults';
import { smallBody } from '@platform/limits';
import { parameterFaults } from '../faults/parameter-faults.ts';
import { largestDirectForm, largestDirectMessage, wire } from '../wire/wire.ts';
import { type Allowance, allowanceOf, itemCounter, withoutField } from './count-items.ts';
import { faultIn, type WireCall } from './wire-call.ts';

export type Message = Record<string, unknown>;
export type Decode = (request: RequestReader) => Message;

export interface ReadRequest {
  readonly message: Message;
  /** A fault that prevents the access rule from being applied. */
  readonly parameterFault: Fault | undefined;
  /** A fault that refuses the call after the caller's access has been confirmed. */
  readonly bodyFault: Fault | undefined;
  /** Number of values in the request, or in the stream so far; 0 if they were not counted. */
  readonly values: number;
}

/** Maximum bytes of a direct caller's message, or of all messages of a stream. Less if the REST request has no body. */
export function mostBytes({ rest, kind, http }: Method): number {
  if (rest.multipart || kind === 'client_streaming') return largestDirectForm;
  return http?.body === '' ? smallBody : largestDirectMessage;
}

/**
 * Maximum number of messages in a direct caller's stream. It allows the largest form in pieces of 16 KiB, the size of
 * an HTTP/2 frame. A smaller message causes as much work (ADR 0113).
 */
export const mostMessages = largestDirectForm / (16 * 1024);

/** @param left the allowance that the messages of a stream share; by default, each message has its own */
type ReadMessage = (call: WireCall, message: Uint8Array, left?: Allowance) => ReadRequest;

export function requestReader(method: Method, decode: Decode): ReadMessage {
  const faultsOf = parameterFaults(method);
  const most = mostBytes(method);
  const isInternal = method.access.who === 'internal';
  const countItems = isInternal ? () => undefined : itemCounter(method.input);
  return (call, request, left = allowanceOf(call)) => {
    const unread = { message: {}, parameterFault: undefined, bodyFault: undefined, values: 0 };
    // Only services may call internal methods. The guard refuses other callers, so their messages are not read.
    if (isInternal && !call.fromService) return unread;
    if (!call.fromService && request.length > most) {
      return { ...unread, parameterFault: new Fault('BODY_TOO_LARGE', `a message may have up to ${most} bytes`) };
    }
    // Accept faults from services only, because the gateway reads requests on behalf of other callers.
    const parameterFault = call.fromService ? faultIn(call, wire.parameterFault) : undefined;
    const bodyFault = call.fromService ? faultIn(call, wire.bodyFault) : undefined;
    try {
      const excess = countItems(request, left);
      if (excess !== undefined && excess.field === undefined) {
        return { message: {}, parameterFault: parameterFault ?? excess.fault, bodyFault, values: left.values };
      }
      const reader = new RequestReader(excess?.field === undefined ? request : withoutField(request, excess.field));
      const message = decode(reader);
      const own = faultsOf(message);
      const badText = reader.hasBadText ? malformed('a text of the message has NUL or is not UTF-8') : undefined;
      return {
        message,
        parameterFault: parameterFault ?? own.access,
        bodyFault: bodyFault ?? excess?.fault ?? badText ?? own.other,
        values: left.values,
      };
    } catch (cause) {
      const undecoded = malformed('the message cannot be decoded, or has a number beyond 2^53-1', cause);
      return { message: {}, parameterFault: parameterFault ?? undecoded, bodyFault, values: left.values };
    }
  };
}

function malformed(message: string, cause?: unknown): Fault {
  return new Fault('MALFORMED_BODY', message, { cause });
}
