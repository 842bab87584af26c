import { type Client, Metadata, type ServiceError, status as Code } from '@grpc/grpc-js';
import type { JoinedCall, JoinedEntry, JoinedReplies } from '@platform/proto/rpc/v1/joined';
import { failed } from '../faults/status.ts';
import { bufferOf, createBatch, joinedStream, noBytes } from '../wire/joined.ts';
import { wire } from '../wire/wire.ts';
import type { Outgoing, Told } from './outgoing.ts';

interface OutgoingCall extends Omit<Outgoing, 'context'> {
  readonly request: Buffer;
  /** How long to wait for the answer, in milliseconds. */
  readonly timeoutMs: number;
  readonly cancelled: AbortSignal | undefined;
}

/** Sends joined calls (ADR 0070) of this process to one replica, over one stream. */
export interface JoinedClient {
  /** Whether joined calls may be sent. False for a while after the replica refused them. */
  readonly isTaken: boolean;
  /** @throws NotJoined, ServiceError */
  call(call: OutgoingCall): Promise<Buffer>;
  /** Ends the stream after the answers to all current calls. No new call may follow. */
  end(): void;
}

/** The replica has an older version without joined calls, or refuses the credential. It has not executed the call. */
export class NotJoined extends Error {
  override readonly name = 'NotJoined';
}

/** Pause after a replica has refused joined calls, in milliseconds. The replica may be upgraded in this time. */
const askAgainMs = 30_000;

export function joinCalls(client: Client, credential: string): JoinedClient {
  let stream: Stream | undefined;
  let refusedUntil = 0;
  return {
    get isTaken() {
      return performance.now() >= refusedUntil;
    },
    call: (call) => {
      if (!stream?.isOpen) {
        stream = openStream(client, credential, () => {
          refusedUntil = performance.now() + askAgainMs;
        });
      }
      return stream.call(call);
    },
    end: () => stream?.end(),
  };
}

interface Stream extends Pick<JoinedClient, 'call' | 'end'> {
  readonly isOpen: boolean;
}

interface Waiting {
  readonly told: Told | undefined;
  resolve(response: Buffer): void;
  reject(error: Error): void;
}

/** Opens a stream, which lives until either side ends it. @param refused called if the replica refuses joined calls */
function openStream(client: Client, credential: string, refused: () => void): Stream {
  const metadata = new Metadata();
  metadata.set(wire.serviceCredential, credential);
  const { path, requestSerialize, responseDeserialize } = joinedStream;
  const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata);
  const calls = createBatch<JoinedCall>((collected) => stream.write({ calls: collected }));
  const waiting = new Map<number, Waiting>();
  let isOpen = true;
  let hasEnded = false;
  let lastId = 0;

  // End the stream only after the last reply, so that no reply is lost.
  const endWhenAnswered = (): void => {
    if (isOpen || hasEnded || waiting.size > 0) return;
    hasEnded = true;
    calls.flush();
    stream.end();
  };
  const end = (): void => {
    isOpen = false;
    endWhenAnswered();
  };
  const fail = (error: Error): void => {
    isOpen = false;
    hasEnded = true;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  stream.on('data', ({ replies, closing }: JoinedReplies) => {
    for (const { id, response, code, details, status, metadata: entries } of replies) {
      const call = waiting.get(id);
      for (const { key, text } of entries) call?.told?.(key, text);
      if (code === Code.OK) call?.resolve(bufferOf(response));
      else call?.reject(failed(code, details, status));
    }
    if (closing) end();
  });
  stream.on('error', ({ code, details }: ServiceError) => {
    const isRefused = code === Code.UNIMPLEMENTED || code === Code.UNAUTHENTICATED;
    if (isRefused) refused();
    // Any other error concerns the stream and not its calls, so the calls fail with UNAVAILABLE.
    fail(isRefused ? new NotJoined(details) : failed(Code.UNAVAILABLE, details));
  });
  stream.on('end', () => fail(failed(Code.UNAVAILABLE, 'the stream has ended')));

  return {
    get isOpen() {
      return isOpen;
    },
    end,
    call: ({ path: method, request, timeoutMs, metadata: entries, cancelled, told }) =>
      new Promise((resolve, reject) => {
        const id = (lastId = (lastId + 1) >>> 0);
        const giveUp = (code: number, details: string): void => {
          if (!waiting.has(id)) return;
          calls.add({ id, path: '', request: noBytes, timeoutMs: 0, metadata: [] }, 0);
          settled.reject(failed(code, details));
        };
        const timer = setTimeout(() => giveUp(Code.DEADLINE_EXCEEDED, 'the deadline has passed'), timeoutMs);
        const onCancelled = (): void => giveUp(Code.CANCELLED, 'cancelled');
        const forget = (): void => {
          clearTimeout(timer);
          cancelled?.removeEventListener('abort', onCancelled);
          waiting.delete(id);
          endWhenAnswered();
        };
        const settled: Waiting = {
          told,
          resolve: (response) => {
            forget();
            resolve(response);
          },
          reject: (error) => {
            forget();
            reject(error);
          },
        };
        waiting.set(id, settled);
        cancelled?.addEventListener('abort', onCancelled, { once: true });
        const call = { id, path: method, request, timeoutMs: Math.ceil(timeoutMs), metadata: entries.map(entryOf) };
        calls.add(call, request.length);
      }),
  };
}

function entryOf([key, value]: readonly [string, string | Buffer]): JoinedEntry {
  return typeof value === 'string' ? { key, text: value, binary: noBytes } : { key, text: '', binary: value };
}
