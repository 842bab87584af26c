import { type Server, type ServerDuplexStream, status as Code } from '@grpc/grpc-js';
import type { Fault } from '@platform/faults';
import type { JoinedCall, JoinedCalls, JoinedEntry, JoinedReplies, JoinedReply } from '@platform/proto/rpc/v1/joined';
import { encodeFault, shortened } from '../faults/status.ts';
import type { Guard } from '../guard/guard.ts';
import { createBatch, joinedStream, noBytes } from '../wire/joined.ts';
import { maxMessageBytes } from '../wire/wire.ts';
import { callerGone, joinedCall, shownBy, type WireCall } from './wire-call.ts';

/** Answers one call: takes the encoded request, and returns the encoded response. Throws only Faults. */
export type Answer = (call: WireCall, request: Uint8Array) => Promise<Uint8Array>;

type Stream = ServerDuplexStream<JoinedCalls, JoinedReplies>;

/** Bytes that are reserved in each reply for everything except the response. */
const overhead = 1024;

/**
 * Serves calls that another service sends together over one stream. The returned function asks every caller to send no
 * more calls. A stream then ends after the answer to its last call.
 * @param answers the functions that answer calls, by the path of the method
 */
export function addJoinedCalls(server: Server, answers: ReadonlyMap<string, Answer>, { isService }: Guard): () => void {
  const streams = new Map<Stream, () => void>();
  let isClosing = false;

  function serve(stream: Stream): void {
    const from = { shown: shownBy(stream), peer: stream.getPeer() };
    if (!isService(from.shown)) {
      stream.emit('error', { code: Code.UNAUTHENTICATED, details: 'a valid service credential is required' });
      return;
    }
    const running = new Map<number, AbortController>();
    const replies = createBatch<JoinedReply>((collected) => stream.write({ replies: collected, closing: false }));
    let callerEnded = false;

    const endWhenDone = (): void => {
      if (!callerEnded || running.size > 0) return;
      replies.flush();
      stream.end();
    };
    const reply = (answered: JoinedReply): void => {
      // A call whose caller no longer waits gets no reply.
      if (running.delete(answered.id)) replies.add(answered, answered.response.length);
      endWhenDone();
    };
    const take = (call: JoinedCall): void => {
      const { id, path } = call;
      if (path === '') {
        running.get(id)?.abort(callerGone);
        running.delete(id);
        endWhenDone();
        return;
      }
      const cancelled = new AbortController();
      running.set(id, cancelled);
      const answer = answers.get(path);
      if (answer === undefined) {
        reply(refused(id, Code.UNIMPLEMENTED, `there is no method ${path}`));
        return;
      }
      const metadata: JoinedEntry[] = [];
      answer(joinedCall(call, cancelled.signal, from, metadata), call.request).then(
        (response) => reply(response.length > maxMessageBytes - overhead
          ? refused(id, Code.RESOURCE_EXHAUSTED, `the response is too large: ${response.length} bytes`)
          : { id, response, code: Code.OK, details: '', status: noBytes, metadata }),
        (fault: Fault) => reply(refused(id, fault.meaning.code, shortened(fault.message), encodeFault(fault))),
      );
    };
    const gone = (): void => {
      streams.delete(stream);
      for (const cancelled of running.values()) cancelled.abort(callerGone);
      running.clear();
    };
    const announceClosing = () => void stream.write({ replies: [], closing: true });
    streams.set(stream, announceClosing);
    // The server began to close before this stream was opened, so the caller has not received the announcement.
    if (isClosing) announceClosing();
    stream.on('data', ({ calls }: JoinedCalls) => calls.forEach(take));
    stream.on('end', () => {
      callerEnded = true;
      endWhenDone();
    });
    for (const event of ['cancelled', 'error', 'close'] as const) stream.on(event, gone);
  }

  const { path, responseSerialize, requestDeserialize } = joinedStream;
  server.register(path, serve as never, responseSerialize, requestDeserialize, 'bidi');
  return () => {
    isClosing = true;
    for (const announceClosing of streams.values()) announceClosing();
  };
}

function refused(id: number, code: number, details: string, status: Uint8Array = noBytes): JoinedReply {
  return { id, response: noBytes, code, details, status, metadata: [] };
}
