import { constants, type ServerHttp2Session } from 'node:http2';

/** Ends connections after some time, so that their clients look the name of the service up again. */
export interface ConnectionAge extends Disposable {
  /** Sets the end of a connection, if it has none yet. */
  limit(session: ServerHttp2Session): void;
}

/**
 * A client of gRPC looks a name up when it loses a connection, and not before: without an end, the pods of its first
 * lookup would serve it for ever. No call is cut: a connection ends after its last call.
 * @param mostMs age at which connections end, in milliseconds, give or take a tenth
 */
export function limitConnectionAge(mostMs: number): ConnectionAge {
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

/** The highest id of a stream: the announcement refuses none that the client has begun. */
const anyStream = 2 ** 31 - 1;

/** Announces the end and closes after the last call (RFC 9113 §6.8). The client repeats calls that come too late. */
function endGently(session: ServerHttp2Session): void {
  if (session.closed || session.destroyed) return;
  session.goaway(constants.NGHTTP2_NO_ERROR, anyStream);
  session.close();
}
