import { deadlineIn, within } from '@platform/service';

/** How long a stream may wait to receive or send one message, in milliseconds. */
export const usualStreamIdleMs = 30_000;
/** Maximum duration of a stream whose caller sets no deadline, in milliseconds. */
export const defaultStreamMs = 600_000;

/**
 * The last message of a client stream from the platform's own clients. Only this message shows that the requests are
 * complete, because Node also ends a cancelled stream as if its requests were complete. Clients announce the message
 * with the metadata key `platform-ends-requests`. It differs from every request, because an encoded protobuf message
 * does not begin with a zero byte.
 */
export const endOfRequests = Buffer.of(0);

/** A writer waits while its stream has more unsent bytes than this. A single message may be larger. */
const mostUnsentBytes = 256 * 1024;
/** Estimated bytes of memory that an unsent message takes in addition to its content. */
const messageBytes = 256;

/** Returns a function that writes a message to a stream and waits until the stream has room for the next message. */
export function boundedWriter(
  stream: { write(bytes: Buffer, sent: () => void): unknown },
): (bytes: Buffer) => Promise<void> {
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
 * Waits for one event of a stream.
 * @throws DeadlineExceeded after `idleMs`; the reason of `signal` when it aborts; the error of `promise`
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
