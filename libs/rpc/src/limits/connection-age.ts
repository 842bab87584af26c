import { constants, type ServerHttp2Session } from 'node:http2';

/**
 * Limits the age of connections, because a gRPC client looks a name up again only after it loses a connection. No call
 * is cut: a connection closes only after its last call.
 * @param mostMs age at which connections end, in milliseconds, plus or minus 10 %
 */
export function limitConnectionAge(mostMs: number): Disposable & { limit(session: ServerHttp2Session): void } {
  const ends = new Map<ServerHttp2Session, NodeJS.Timeout>();
  return {
    limit: (session) => {
      if (ends.has(session)) return;
      ends.set(session, setTimeout(() => endGently(session), mostMs * (0.9 + Math.random() / 5)).unref());
      session.once('close', () => {
        clearTimeout(ends.get(session));
        ends.delete(session);
      });
    },
    [Symbol.dispose]: () => ends.forEach(clearTimeout),
  };
}

/** The highest stream id. With this id, the announcement (GOAWAY) refuses no stream that the client has begun. */
const anyStream = 2 ** 31 - 1;

/** Announces the end of a connection to its client, and closes the connection after its last call (RFC 9113 §6.8). */
function endGently(session: ServerHttp2Session): void {
  if (session.closed || session.destroyed) return;
  session.goaway(constants.NGHTTP2_NO_ERROR, anyStream);
  session.close();
}
