import { status as Code, type ServiceError } from '@grpc/grpc-js';
import { DeadlineExceeded, deadlineIn, remaining, shrink, within } from '@platform/service';
import { failed, lossOf } from '../faults/status.ts';
import { boundedWriter, endOfRequests, usualStreamIdleMs, waitFor } from '../wire/streams.ts';
import { wire } from '../wire/wire.ts';
import type { Outgoing } from './outgoing.ts';
import { asItIs, metadataOf, type Replica } from './replica.ts';
import type { OutgoingUnary } from './unary.ts';

interface Responses {
  /** The first response; undefined if the stream ended without a response. */
  readonly first: Buffer | undefined;
  /** The next response; undefined at the end. @throws ServiceError, with DEADLINE_EXCEEDED after the idle time */
  next(): Promise<Buffer | undefined>;
  cancel(): void;
}

/** Calls a server-streaming method and awaits its first response. @throws ServiceError */
export async function openResponses(
  replica: Replica, outgoing: OutgoingUnary, idleMs = usualStreamIdleMs,
): Promise<Responses> {
  const { path, request, context: { cancelled, deadline } } = outgoing;
  if (cancelled?.aborted) throw failed(Code.CANCELLED, 'cancelled');
  const options = { deadline: Date.now() + remaining(shrink(deadline)) };
  const metadata = metadataOf(replica, outgoing);
  const call = replica.client.makeServerStreamRequest(path, asItIs, asItIs, request, metadata, options);
  // Without this listener, an error after the last read would end the process.
  call.on('error', () => undefined);
  const giveUp = (): void => call.cancel();
  cancelled?.addEventListener('abort', giveUp, { once: true });
  const cancel = (): void => {
    cancelled?.removeEventListener('abort', giveUp);
    call.cancel();
  };
  const iterator = call.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  const next = async (): Promise<Buffer | undefined> => {
    try {
      const { done, value } = await within(deadlineIn(idleMs), iterator.next(), 'the stream');
      return done === true ? undefined : value;
    } catch (error) {
      cancel();
      if (error instanceof DeadlineExceeded) throw failed(Code.DEADLINE_EXCEEDED, error.message);
      throw lossOf(error as ServiceError, cancelled?.aborted === true);
    }
  };
  return { first: await next(), next, cancel };
}

/**
 * Calls a client-streaming method. Requests are read only as fast as the service accepts them. @throws ServiceError
 * @param sourceFailed called with an error that `requests` throws; the call is then cancelled
 */
export function sendRequests(
  replica: Replica, outgoing: Outgoing, requests: AsyncGenerator<Buffer>, idleMs = usualStreamIdleMs,
  sourceFailed: (error: unknown) => void,
): Promise<Buffer> {
  const { path, context: { cancelled, deadline } } = outgoing;
  if (cancelled?.aborted) return Promise.reject(failed(Code.CANCELLED, 'cancelled'));
  return new Promise((resolve, reject) => {
    const ended = new AbortController();
    const options = { deadline: Date.now() + remaining(shrink(deadline)) };
    const metadata = metadataOf(replica, outgoing);
    metadata.set(wire.endsRequests, 'true');
    const call = replica.client.makeClientStreamRequest(path, asItIs, asItIs, metadata, options, (error, response) => {
      ended.abort();
      cancelled?.removeEventListener('abort', giveUp);
      if (error) reject(lossOf(error, cancelled?.aborted === true));
      else resolve(response!);
    });
    call.on('error', () => undefined);
    const giveUp = (): void => call.cancel();
    cancelled?.addEventListener('abort', giveUp, { once: true });
    const pump = async (): Promise<void> => {
      const write = boundedWriter(call as { write(bytes: Buffer, sent: () => void): unknown });
      try {
        for (;;) {
          const { done, value } = await take();
          if (done === true) break;
          await waitFor(write(value), idleMs, ended.signal);
        }
        call.write(endOfRequests);
        call.end();
      } catch {
        // Reading or sending failed, or the call has ended. The callback of the call resolves or rejects the promise.
        call.cancel();
      } finally {
        requests.return(undefined).catch(() => undefined);
      }
    };
    // Only the deadline limits the wait for a request, because the service itself ends an idle stream.
    const take = async (): Promise<IteratorResult<Buffer>> => {
      const taken = requests.next();
      taken.catch((error: unknown) => {
        if (!ended.signal.aborted) sourceFailed(error);
      });
      return waitFor(taken, remaining(deadline), ended.signal);
    };
    void pump();
  });
}
