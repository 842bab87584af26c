import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formatAddress, type Logger, pause, type Readiness } from '@platform/service';
import type { WatchedTls } from '@platform/tls';
import express from 'express';
import type { WholeAnswer } from './answer.ts';
import { boundConnections } from './bound-connections.ts';
import { endingOf, type Requests } from './end-server.ts';
import { createHttpServer, type Unread } from './http-server.ts';
import type { Limits } from './limits.ts';

/** Answers the requests of a server. */
export interface HttpHandler extends Requests {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** The answer to input that Node does not pass on as a request. */
  refuseUnread(unread: Unread): WholeAnswer;
  /** From now on, each connection closes after its next answer. */
  drain(): void;
}

export interface ServeHttpOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly limits: Limits;
  /** The certificate of HTTPS; plain HTTP without. */
  readonly tls?: WatchedTls | undefined;
  /** How many file handles the process may have; they limit the connections. Default: no limit. */
  readonly fileHandles?: number;
  /** Milliseconds for which it accepts connections after the stop signal; default 0. */
  readonly stopDelay?: number;
  /** Milliseconds for which it waits for what is on its way when it stops; default 1 s. Setting `stop.silence`. */
  readonly stopSilence?: number;
  readonly readiness: Readiness;
  readonly log: Logger;
}

/** A server that listens. Disposing it drains the handler, waits for the delay, and ends the connections. */
export interface HttpService extends AsyncDisposable {
  /** `host:port` it listens on. */
  readonly address: string;
  /** `http://127.0.0.1:port`, or `https:`. */
  readonly localUrl: string;
}

const usualSilenceMs = 1_000;

/** Listens. Express hosts the handler as its only one: no middleware, and no routing of Express. */
export async function serveHttp(handler: HttpHandler, options: ServeHttpOptions): Promise<HttpService> {
  const app = express();
  app.disable('x-powered-by');
  app.use(handler.handle);
  // Express skips its handlers for a target it cannot parse. The handler answers these as well.
  const server = createHttpServer(
    (request, response) => app(request as never, response as never, () => handler.handle(request, response)),
    { limits: options.limits, refuse: handler.refuseUnread, tls: options.tls, log: options.log },
  );
  boundConnections(server, options.fileHandles ?? Infinity, options);
  const end = endingOf(server, handler, options.stopSilence ?? usualSilenceMs);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.host, port: options.port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { address, port } = server.address() as AddressInfo;
  return {
    address: formatAddress(address, port),
    localUrl: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      handler.drain();
      // Load balancers still send requests until they have read the readiness.
      await pause(options.stopDelay ?? 0);
      await end();
    },
  };
}
