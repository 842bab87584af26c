import { type ErrorFormat, mainErrors, serveHttp, throughExpress } from '@platform/http';
import type { Readiness } from '@platform/service';
import type { WatchedTls } from '@platform/tls';
import { createRestHandler, type RestHandlerOptions } from './rest-handler.ts';

export interface RestOptions extends Omit<RestHandlerOptions, 'baseUrl' | 'errors'> {
  readonly host: string;
  /** Port to listen on; 0 chooses a free port. */
  readonly port: number;
  /** Address at which clients reach the server. If undefined, an address for clients on this machine. */
  readonly baseUrl: string | undefined;
  /** Format of refusals; default: the error body of the main API. */
  readonly errors?: ErrorFormat;
  /** The certificate for HTTPS; plain HTTP if undefined. */
  readonly tls?: WatchedTls | undefined;
  /** Number of file handles for this server. The server accepts fewer connections than this. Default: no limit. */
  readonly fileHandles?: number;
  readonly readiness: Readiness;
  /** How long the server accepts connections after disposal begins, in milliseconds; default 0. */
  readonly stopDelay?: number;
  /**
   * Length of one wait for requests and answers in transit, in milliseconds (`stop.silence`); default 1,000. When the
   * server ends, it waits one to three times.
   */
  readonly stopSilence?: number;
}

/**
 * A REST server that listens on its port. When it is disposed, it accepts new connections until `stopDelay` is over. It
 * then waits for requests in progress, and closes all connections.
 */
export interface RestServer extends AsyncDisposable {
  readonly address: string;
  /** Address at which clients reach the server, without a trailing slash. */
  readonly baseUrl: string;
}

/** Starts a REST server on `host` and `port`. @throws Error if a method cannot be served or the server cannot listen */
export async function serveRest(options: RestOptions): Promise<RestServer> {
  let baseUrl = options.baseUrl ?? '';
  const errors = options.errors ?? mainErrors(() => baseUrl);
  const handler = createRestHandler({ ...options, errors, baseUrl: () => baseUrl });
  const server = await serveHttp(handler, { ...options, listener: throughExpress(handler) });
  baseUrl ||= server.localUrl;
  return { address: server.address, baseUrl, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
