import express from 'express';
import type { AddressInfo } from 'node:net';
import { formatAddress, pause } from '@platform/service';
import type { WatchedTls } from '@platform/tls';
import { createGateway, type GatewayOptions } from './gateway.ts';
import { boundConnections } from './http/bound-connections.ts';
import { endingOf } from './http/end-server.ts';
import { createHttpServer } from './http/http-server.ts';

export interface ServeOptions extends Omit<GatewayOptions, 'baseUrl'> {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Undefined: the address it listens on. */
  readonly baseUrl: string | undefined;
  /** The certificate of HTTPS; plain HTTP without. */
  readonly tls?: WatchedTls | undefined;
  /** How many file handles the process may have; connections are bounded by them. Default: not at all. */
  readonly fileHandles?: number;
  /** Milliseconds for which it goes on taking connections once it is told to stop; default 0. */
  readonly stopDelay?: number;
}

/**
 * The gateway on its port. Disposing it makes every answer its connection's last, refuses new connections after the
 * delay, answers the requests of those it has, and ends the connections that stay silent.
 */
export interface ServedGateway extends AsyncDisposable {
  /** `host:port` it listens on. */
  readonly address: string;
  /** Address under which people reach it, without a slash at the end. */
  readonly baseUrl: string;
}

/**
 * Listens. Express hosts the gateway as its one handler: no middleware stands before it, and nothing of Express decides
 * about paths.
 */
export async function serveGateway(options: ServeOptions): Promise<ServedGateway> {
  let baseUrl = options.baseUrl ?? '';
  const gateway = createGateway({ ...options, baseUrl: () => baseUrl });
  const app = express();
  app.disable('x-powered-by');
  app.use(gateway.handle);
  // Express passes over a target it cannot parse; that is the gateway's to answer as well.
  const server = createHttpServer(
    (request, response) => app(request as never, response as never, () => gateway.handle(request, response)),
    {
      limits: options.limits,
      refuse: gateway.refuseUnread,
      tls: options.tls,
      log: options.log,
    },
  );
  boundConnections(server, options.fileHandles ?? Infinity, options);
  const end = endingOf(server, gateway);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.host, port: options.port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { address, port } = server.address() as AddressInfo;
  baseUrl ||= `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`;
  return {
    address: formatAddress(address, port),
    baseUrl,
    [Symbol.asyncDispose]: async () => {
      gateway.drain();
      // Who balances the load has not looked at the readiness yet: he gets his answers meanwhile.
      await pause(options.stopDelay ?? 0);
      await end();
    },
  };
}
