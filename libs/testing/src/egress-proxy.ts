import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { listen } from './sockets.ts';

interface EgressProxy extends AsyncDisposable {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** The targets that clients asked for with CONNECT, in their order. */
  readonly asked: readonly string[];
  /** What clients sent as `Proxy-Authorization`. */
  readonly credentials: readonly (string | undefined)[];
}

/**
 * An HTTP proxy for CONNECT.
 * @param leadsTo the proxy connects to this `127.0.0.1:port` for every target; if undefined, it refuses every target
 */
export async function egressProxy(leadsTo: string | undefined): Promise<EgressProxy> {
  const [asked, credentials]: [string[], (string | undefined)[]] = [[], []];
  const server = createServer();
  const open = new Set<Duplex>();
  server.on('connect', (request, socket) => {
    asked.push(request.url!);
    credentials.push(request.headers['proxy-authorization']);
    open.add(socket);
    socket.on('error', () => undefined);
    if (leadsTo === undefined) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const [host, port] = leadsTo.split(':');
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('close', () => target.destroy());
  });
  return {
    url: `http://${await listen(server)}`, asked, credentials,
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
