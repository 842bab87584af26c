import { subscribe } from 'node:diagnostics_channel';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';

type Ping = (callback: (error: Error | null, duration: number, payload: Buffer) => void) => boolean;

const known = new WeakSet<ClientHttp2Session>();
let isOn = false;

/**
 * Lets current calls finish on a connection whose server stops. On such a connection, the keepalive pings of grpc-js
 * fail, and grpc-js would cut the calls (grpc/grpc-node#3068). This function makes these pings succeed.
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
