import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formatAddress, type Logger, pause, type Readiness } from '@platform/service';
import type { WatchedTls } from '@platform/tls';
import express from 'express';
import type { WholeAnswer } from './answer.ts';
import { boundConnections } from './bound-connections.ts';
import { endingOf, type Requests } from './end-server.ts';
import { createHttpServer, type Unread } from './http-server.ts';
import type { Limits } from './limits.ts';

export interface HttpHandler extends Requests {
  handle(request: IncomingMessage, response: ServerResponse): void;
  refuseUnread(unread: Unread): WholeAnswer;
  /** From now on, each connection closes after its next answer. */
  drain(): void;
}

interface ServeHttpOptions {
  /** Default: `handler.handle`. */
  readonly listener?: RequestListener;
  readonly host: string;
  /** Port to listen on; 0 chooses a free port. */
  readonly port: number;
  readonly limits: Limits;
  /** The certificate for HTTPS; plain HTTP if undefined. */
  readonly tls?: WatchedTls | undefined;
  /** Number of file handles for this server. The server accepts fewer connections than this. Default: no limit. */
  readonly fileHandles?: number;
  /** How long the server accepts connections after disposal begins, in milliseconds; default 0. */
  readonly stopDelay?: number;
  /**
   * Length of one wait for requests and answers in transit, in milliseconds (`stop.silence`); default 1,000. When the
   * server ends, it waits one to three times.
   */
  readonly stopSilence?: number;
  readonly readiness: Readiness;
  readonly log: Logger;
}

/** Passes every request to `handler` through Express, so that {@link throughRouter} can pass it on to a router. */
export function throughExpress(handler: HttpHandler): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.use(handler.handle);
  // Express does not call its handlers for a target that it cannot parse. In that case, call the handler here.
  return (request, response) => app(request as never, response as never, () => handler.handle(request, response));
}

/**
 * Starts a server that passes every request to `handler`.
 * @returns the `address` as `host:port`, and a URL for clients on this machine. Disposing drains the handler, waits for
 *   `stopDelay`, and ends the server.
 */
export async function serveHttp(
  handler: HttpHandler, options: ServeHttpOptions,
): Promise<AsyncDisposable & { readonly address: string; readonly localUrl: string }> {
  const { limits, tls, log, listener = handler.handle } = options;
  const server = createHttpServer(listener, { limits, refuse: handler.refuseUnread, tls, log });
  boundConnections(server, options.fileHandles ?? Infinity, options);
  const end = endingOf(server, handler, options.stopSilence ?? 1_000);
  server.listen({ host: options.host, port: options.port });
  await once(server, 'listening');
  const { address, port } = server.address() as AddressInfo;
  return {
    address: formatAddress(address, port),
    localUrl: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      handler.drain();
      // Load balancers continue to send requests until they notice that the server is not ready.
      await pause(options.stopDelay ?? 0);
      await end();
    },
  };
}
