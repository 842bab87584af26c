import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { type Rate, TokenBuckets, UnreadAnswers } from '@platform/limits';
import { type Logger, seldom } from '@platform/service';

/** Limits for direct callers, that is, callers other than services of the platform and the operator. */
export interface LeavingLimits {
  /** Maximum bytes of unread answers to all direct callers. One source may use a quarter of them. */
  readonly unread: number;
  /** Maximum rate at which one source may reset calls before their answers end. */
  readonly resets: Rate;
}

/**
 * The limits of resets are lower than those of nghttp2 (1,000 at once and 33 per second). Above its limits, nghttp2
 * closes the connection with INTERNAL_ERROR, as if the server had failed.
 */
export const usualLeavingLimits: LeavingLimits = { unread: 96 * 1024 * 1024, resets: { perSecond: 30, burst: 500 } };

/** Diagnostics channel on which Node announces each answer when the headers of the answer are sent. */
const answering = 'http2.server.stream.finish';
const { NGHTTP2_ENHANCE_YOUR_CALM: calm, NGHTTP2_NO_ERROR: noError } = constants;

/** Limits the work and memory that callers can waste by unread answers and reset calls. */
export function boundLeaving(
  log: Logger, limits: LeavingLimits,
): Disposable & { watch(stream: ServerHttp2Stream, source: string): void } {
  const unread = new UnreadAnswers(limits.unread, log);
  const resets = new TokenBuckets<string>(limits.resets);
  const sources = new WeakMap<ServerHttp2Stream, string>();
  const said = seldom();

  function count(message: unknown): void {
    const { stream } = message as { stream: ServerHttp2Stream };
    const source = sources.get(stream);
    if (source === undefined) return;
    // Node writes the answer after this event, so measure the size of the answer later.
    setImmediate(() => {
      if (stream.destroyed || stream.writableLength === 0) return;
      const cut = (): void => {
        sources.delete(stream);
        stream.close(calm);
      };
      stream.once('close', unread.hold(stream.writableLength, source, cut));
    });
  }

  function close(session: ServerHttp2Session, source: string): void {
    const leftOut = said(source);
    if (leftOut !== undefined) log.warn({ source, leftOut }, 'too many calls were reset: closing the connection');
    session.goaway(calm);
    session.destroy();
  }

  subscribe(answering, count);
  return {
    watch: (stream, source) => {
      sources.set(stream, source);
      stream.once('aborted', () => {
        const { session, rstCode } = stream;
        // Do not count calls that were reset by the loss of the connection or by this server.
        if (rstCode === noError || session?.socket?.destroyed !== false || !sources.has(stream)) return;
        if (!resets.take(source).allowed) close(session as ServerHttp2Session, source);
      });
    },
    [Symbol.dispose]: () => void unsubscribe(answering, count),
  };
}
