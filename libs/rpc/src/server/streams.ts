import { setImmediate } from 'node:timers/promises';
import {
  Metadata, type sendUnaryData, type ServerReadableStream, type ServerWritableStream, status as Code,
} from '@grpc/grpc-js';
import { Fault, internalFault, unavailable } from '@platform/faults';
import { DeadlineExceeded } from '@platform/service';
import { refusal } from '../faults/status.ts';
import { boundedWriter, endOfRequests, usualStreamIdleMs, waitFor } from '../wire/streams.ts';
import { maxMessageBytes, wire } from '../wire/wire.ts';
import { conducting, countBatch, countLarge, type MethodParts, repeatedWhileMoved } from './answer-call.ts';
import { allowanceOf } from './count-items.ts';
import type { BoundContext, ClientStreamHandler, ServerStreamHandler } from './handler.ts';
import { type Message, mostBytes, mostMessages, type ReadRequest, requestReader } from './read-request.ts';
import { requireFields } from './required.ts';
import { callByItself, callerGone, type Incoming, type WireCall } from './wire-call.ts';

interface Streams {
  sending(
    parts: MethodParts, handler: ServerStreamHandler<unknown, unknown>, encode: (response: unknown) => Buffer,
  ): (call: ServerWritableStream<Buffer, unknown>) => void;
  receiving(
    parts: MethodParts, handler: ClientStreamHandler<unknown, unknown>,
  ): (call: ServerReadableStream<Buffer, unknown>, callback: sendUnaryData<unknown>) => void;
  /**
   * Ends open streams with UNAVAILABLE. Server streams end at once. Client streams end after `stopMs` if requests are
   * still missing.
   */
  stop(): void;
}

const serverStops = new Error('the server stops');
/** The error of a cut stream. Clients treat it like a lost connection, because it has no `grpc-status-details-bin`. */
const wasCut = { code: Code.UNAVAILABLE, details: serverStops.message };

/** @param stopMs how long requests of client streams may still arrive after a stop, in milliseconds */
export function serveStreams(idleMs = usualStreamIdleMs, stopMs: number): Streams {
  const sending = new Set<AbortController>();
  const receiving = new Set<AbortController>();
  let isStopping = false;

  return {
    sending: (parts, handler, encode) => {
      const read = requestReader(parts.method, parts.decode);
      const conduct = conducting(parts);
      return (call) => {
        const ended = new AbortController();
        sending.add(ended);
        const arriving = callByItself(call, parts.guard, ended);
        if (isStopping) ended.abort(serverStops);
        const answered = conduct(arriving, async (incoming) => {
          const counted = await countLarge(parts, incoming, call.request.length);
          const output = { write: boundedWriter(call), encode, idleMs };
          const found = read(arriving, call.request);
          return await sendResponses(parts, handler, found, countBatch(counted, found), output);
        });
        const refuse = (fault: Fault): void => void call.emit('error', refusal(fault));
        answered.then((end) => (end === 'complete' ? call.end() : call.emit('error', wasCut)), refuse)
          .finally(() => sending.delete(ended));
      };
    },
    receiving: (parts, handler) => {
      const conduct = conducting(parts);
      const readRequests = requestsReader(parts, idleMs);
      return (call, callback) => {
        const ended = new AbortController();
        receiving.add(ended);
        const arrived = (): void => void receiving.delete(ended);
        const arriving = callByItself(call, parts.guard, ended);
        const answered = conduct(arriving, async (incoming) => {
          // Count the maximum size towards the rate limit, because the size of the stream is not known in advance.
          const counted = await countLarge(parts, incoming, mostBytes(parts.method));
          const requests = readRequests(call, arriving, incoming, arrived);
          const first = await requests.first();
          const handle = (_: Message, context: BoundContext) => handler(requests.all(), context);
          return repeatedWhileMoved(parts, first, counted, handle, { isRepeatable: () => false });
        });
        answered.then((response) => callback(null, response), (fault: Fault) => callback(refusal(fault)))
          .finally(arrived);
      };
    },
    stop: () => {
      isStopping = true;
      for (const ended of sending) ended.abort(serverStops);
      setTimeout(() => receiving.forEach((ended) => ended.abort(serverStops)), stopMs).unref();
    },
  };
}

/** Sends the responses. Returns `complete` at the end or if the client cancels; `cut` if the server stops earlier. */
async function sendResponses(
  parts: MethodParts, handler: ServerStreamHandler<unknown, unknown>, request: ReadRequest, incoming: Incoming,
  output: { write: (bytes: Buffer) => Promise<void>; encode: (response: unknown) => Buffer; idleMs: number },
): Promise<'complete' | 'cut'> {
  let hasBegun = false;
  const send = async (message: Message, context: BoundContext): Promise<'complete'> => {
    const { signal } = incoming.deadline;
    const responses = handler(message, context)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await waitFor(responses.next(), output.idleMs, signal);
        if (done === true) return 'complete';
        hasBegun = true;
        await waitFor(output.write(encoded(output.encode, value)), output.idleMs, signal);
      }
    } finally {
      // Do not await `return`. It ends only after the handler, and the handler may wait for a long time.
      responses.return?.().catch(() => undefined);
    }
  };
  try {
    return await repeatedWhileMoved(parts, request, incoming, send, { isRepeatable: () => !hasBegun });
  } catch (error) {
    const { aborted, reason } = incoming.cancelled;
    if (!aborted) throw whyEnded(error, incoming);
    return reason === callerGone ? 'complete' : 'cut';
  }
}

/** Returns a function that reads the requests of a client stream, and calls `arrived` when all have arrived. */
function requestsReader(parts: MethodParts, idleMs: number) {
  const read = requestReader(parts.method, parts.decode);
  const most = mostBytes(parts.method);
  return (call: ServerReadableStream<Buffer, unknown>, from: WireCall, incoming: Incoming, arrived: () => void) => {
    const messages = call.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    const isMarked = from.values(wire.endsRequests).length > 0;
    const left = allowanceOf(from);
    let [bytes, count] = [0, 0];
    let first: ReadRequest | undefined;
    const next = async (): Promise<ReadRequest | undefined> => {
      const { cancelled, deadline } = incoming;
      try {
        const { done, value } = await waitFor(messages.next(), idleMs, deadline.signal);
        if (done === true && isMarked) throw callerGone;
        if (done === true) await throwIfCancelled(call, cancelled);
        if (done === true || (isMarked && value.equals(endOfRequests))) {
          arrived();
          return undefined;
        }
        bytes += value.length;
        count += 1;
        if (!from.fromService && bytes > most) {
          throw new Fault('BODY_TOO_LARGE', `the messages of a stream may have up to ${most} bytes together`);
        }
        if (!from.fromService && count > mostMessages) {
          throw new Fault('BODY_TOO_LARGE', `a stream may have up to ${mostMessages} messages`);
        }
        return read(from, value, left);
      } catch (error) {
        if (cancelled.aborted && cancelled.reason === serverStops) throw unavailable('the service');
        throw whyEnded(error, incoming);
      }
    };
    return {
      first: async (): Promise<ReadRequest> => {
        first = await next();
        if (first === undefined) throw new Fault('MALFORMED_BODY', 'the stream has no message');
        return first;
      },
      async *all(): AsyncGenerator<Message, void, undefined> {
        for (let request = first; request !== undefined; request = await next()) {
          const fault = request.parameterFault ?? request.bodyFault;
          if (fault) throw fault;
          requireFields(parts.method.input, request.message);
          yield request.message;
        }
      },
    };
  };
}

/**
 * Checks whether the client has reset the stream. After a reset, Node ends the stream as if all messages had arrived.
 * grpc-js notices the reset when it sends metadata.
 * @throws the reason of `cancelled` if the call is cancelled
 */
async function throwIfCancelled(call: ServerReadableStream<Buffer, unknown>, cancelled: AbortSignal): Promise<void> {
  call.sendMetadata(new Metadata());
  await setImmediate();
  cancelled.throwIfAborted();
}

/** Returns DeadlineExceeded if the deadline or the caller ended the stream early; otherwise the error itself. */
function whyEnded(error: unknown, { deadline, cancelled }: Incoming): unknown {
  const isOver = deadline.signal.aborted && error === deadline.signal.reason;
  const isCut = error === callerGone || (cancelled.aborted && !(error instanceof Fault));
  return isOver || isCut ? new DeadlineExceeded('the stream') : error;
}

function encoded(encode: (response: unknown) => Buffer, response: unknown): Buffer {
  const bytes = encode(response);
  if (bytes.length > maxMessageBytes) throw internalFault(new Error(`response of ${bytes.length} bytes is too large`));
  return bytes;
}
