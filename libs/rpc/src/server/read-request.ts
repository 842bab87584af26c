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
  /** The fault of a parameter that the access rule needs. The guard reports it. */
  readonly parameterFault: Fault | undefined;
  /** Any other fault of the request. The guard usually admits the call before this fault is reported. */
  readonly bodyFault: Fault | undefined;
  /** Number of values in the request, or in the stream so far; 0 if they were not counted. */
  readonly values: number;
}

/** Returns the maximum bytes of a direct caller's message, or of all messages of a client stream together. */
export function mostBytes({ rest, kind, http }: Method): number {
  if (rest.multipart || kind === 'client_streaming') return largestDirectForm;
  return http?.body === '' ? smallBody : largestDirectMessage;
}

/**
 * Maximum number of messages in a direct caller's stream. It allows the largest form in pieces of 16 KiB. The number is
 * limited because each message causes work, however small the message is (ADR 0113).
 */
export const mostMessages = largestDirectForm / (16 * 1024);

/**
 * Reads a request, or one message of a stream.
 * @param left counts the values of all messages of a stream; by default, each message has its own count
 */
type ReadMessage = (call: WireCall, message: Uint8Array, left?: Allowance) => ReadRequest;

export function requestReader(method: Method, decode: Decode): ReadMessage {
  const faultsOf = parameterFaults(method);
  const most = mostBytes(method);
  const isInternal = method.access.who === 'internal';
  const countItems = isInternal ? () => undefined : itemCounter(method.input);
  return (call, request, left = allowanceOf(call)) => {
    const unread = { message: {}, parameterFault: undefined, bodyFault: undefined, values: 0 };
    // The guard will refuse this call, so its message need not be read.
    if (isInternal && !call.fromService) return unread;
    if (!call.fromService && request.length > most) {
      return { ...unread, parameterFault: new Fault('BODY_TOO_LARGE', `a message may have up to ${most} bytes`) };
    }
    // The gateway sends its faults as metadata. Ignore such metadata from direct callers.
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
      const badText = reader.hasBadText ? malformed('a text in the message contains NUL or is not UTF-8') : undefined;
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
