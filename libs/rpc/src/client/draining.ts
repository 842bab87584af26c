import { subscribe } from 'node:diagnostics_channel';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';

type Ping = (callback: (error: Error | null, duration: number, payload: Buffer) => void) => boolean;

const known = new WeakSet<ClientHttp2Session>();
let isOn = false;

/**
 * Lets current calls finish on a connection whose server stops. Once the server has announced its stop (GOAWAY), Node
 * sends no more pings. At its next keepalive, grpc-js would then consider the connection lost and cut the calls
 * (grpc/grpc-node#3068). With this function, such pings succeed.
 */
export function keepDrainingCalls(): void {
  if (isOn) return;
  isOn = true;
  subscribe('http2.client.stream.created', (message) => {
    const { session } = (message as { stream: ClientHttp2Stream }).stream;
    if (session === undefined || known.has(session as ClientHttp2Session)) return;
    known.add(session as ClientHttp2Session);
    const ping = session.ping.bind(session) as Ping;
    session.ping = ((callback) => {
      if (!session.closed || session.destroyed) return ping(callback);
      setImmediate(() => callback(null, 0, Buffer.alloc(8)));
      return true;
    }) satisfies Ping as typeof session.ping;
  });
}
