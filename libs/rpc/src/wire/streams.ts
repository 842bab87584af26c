import { deadlineIn, within } from '@platform/service';

/** How long a stream may wait for one message to come or to be taken, in milliseconds. */
export const usualStreamIdleMs = 30_000;
/** The longest time a stream may take when its caller names none, in milliseconds. */
export const defaultStreamMs = 600_000;

/**
 * The last message of a client stream of ours. Node's HTTP/2 client ends the requests of a stream that it cancels as if
 * they were complete, so our clients say with `platform-ends-requests` that they send this at the true end. Encoded
 * protobuf messages never begin with a zero byte.
 */
export const endOfRequests = Buffer.of(0);

export function isEndOfRequests(message: Buffer): boolean {
  return message.equals(endOfRequests);
}

/** A writer waits once this many bytes of its stream are not yet sent. A single message may be larger. */
const mostUnsentBytes = 256 * 1024;
/** What a message takes besides its bytes. */
const messageBytes = 256;

interface Written {
  write(bytes: Buffer, sent: () => void): unknown;
}

/** Writes messages to a stream. Resolves when there is room for the next one, so a slow reader slows its writer. */
export function boundedWriter(stream: Written): (bytes: Buffer) => Promise<void> {
  let unsent = 0;
  let makeRoom: (() => void) | undefined;
  return async (bytes) => {
    const size = bytes.length + messageBytes;
    unsent += size;
    stream.write(bytes, () => {
      unsent -= size;
      if (unsent <= mostUnsentBytes) makeRoom?.();
    });
    if (unsent <= mostUnsentBytes) return;
    await new Promise<void>((resolve) => {
      makeRoom = resolve;
    });
  };
}

/**
 * One wait of a stream.
 * @throws DeadlineExceeded after `idleMs`, and the reason of `signal` as soon as it aborts
 */
export function waitFor<T>(promise: Promise<T>, idleMs: number, signal: AbortSignal): Promise<T> {
  return within(deadlineIn(idleMs), unlessAborted(promise, signal), 'a message of the stream');
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
