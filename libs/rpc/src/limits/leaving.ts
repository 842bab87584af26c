import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { type Rate, TokenBuckets, UnreadAnswers } from '@platform/limits';
import { type Logger, seldom } from '@platform/service';

/** What callers who are no services of ours may leave behind. */
export interface LeavingLimits {
  /** Bytes of answers that they do not read, over all of them; a quarter of it for one source. */
  readonly unread: number;
  /** Calls that one source may reset before they are answered. */
  readonly resets: Rate;
}

/** Below what nghttp2 allows on one connection (1,000 and 33 per second), where it tells no reason. */
export const usualLeavingLimits: LeavingLimits = {
  unread: 96 * 1024 * 1024, resets: { perSecond: 30, burst: 500 },
};

/** Node announces each stream as its answer begins. */
const started = 'http2.server.stream.start';
const { NGHTTP2_ENHANCE_YOUR_CALM: calm, NGHTTP2_NO_ERROR: noError } = constants;

/** Watches streams until it is disposed of. */
export interface Leaving extends Disposable {
  /** @param source as limits count it, see {@link sourceOf} */
  watch(stream: ServerHttp2Stream, source: string): void;
}

/**
 * Bounds what callers have a server do and hold for nothing: answers that they do not read, and calls that they reset.
 * HTTP/2 lets them do both as often as they like on one connection.
 */
export function boundLeaving(log: Logger, limits: LeavingLimits): Leaving {
  const unread = new UnreadAnswers(limits.unread, log);
  const resets = new TokenBuckets<string>(limits.resets);
  const sources = new WeakMap<ServerHttp2Stream, string>();
  const said = seldom();

  function count(message: unknown): void {
    const { stream } = message as { stream: ServerHttp2Stream };
    const source = sources.get(stream);
    if (source === undefined) return;
    // The answer is written behind its headers.
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
    if (leftOut !== undefined) log.warn({ source, leftOut }, 'too many calls were reset: closing their connection');
    session.goaway(calm);
    session.destroy();
  }

  subscribe(started, count);
  return {
    watch: (stream, source) => {
      sources.set(stream, source);
      stream.once('aborted', () => {
        const { session, rstCode } = stream;
        // A connection that is lost resets its calls, too, and so does this server.
        if (rstCode === noError || session?.socket?.destroyed !== false || !sources.has(stream)) return;
        if (!resets.take(source).allowed) close(session as ServerHttp2Session, source);
      });
    },
    [Symbol.dispose]: () => void unsubscribe(started, count),
  };
}
