import { type ErrorFormat, mainErrors, serveHttp } from '@platform/http';
import type { Readiness } from '@platform/service';
import type { WatchedTls } from '@platform/tls';
import { createRestHandler, type RestHandlerOptions } from './rest-handler.ts';

export interface RestOptions extends Omit<RestHandlerOptions, 'baseUrl' | 'errors'> {
  readonly host: string;
  /** Port to listen on; 0 chooses a free port. */
  readonly port: number;
  /** Address at which clients reach the server. If undefined, the address on which the server listens. */
  readonly baseUrl: string | undefined;
  /** Format of refusals; default: the error body of the main API. */
  readonly errors?: ErrorFormat;
  /** The certificate for HTTPS; plain HTTP if undefined. */
  readonly tls?: WatchedTls | undefined;
  /** Maximum number of file handles of the process, which limits the connections. Default: no limit. */
  readonly fileHandles?: number;
  readonly readiness: Readiness;
  /** How long the server accepts connections after the stop signal, in milliseconds; default 0. */
  readonly stopDelay?: number;
  /** How long a stopping server waits for requests in transit, in milliseconds (`stop.silence`); default 1 s. */
  readonly stopSilence?: number;
}

/**
 * A REST server on its port. Disposing it answers the requests on open connections, and closes the connections. It
 * refuses new connections after `stopDelay`.
 */
export interface RestServer extends AsyncDisposable {
  readonly address: string;
  /** Address at which clients reach the server, without a trailing slash. */
  readonly baseUrl: string;
}

/** Serves the methods with a REST binding on `host` and `port`. @throws Error for a method that cannot be served */
export async function serveRest(options: RestOptions): Promise<RestServer> {
  let baseUrl = options.baseUrl ?? '';
  const errors = options.errors ?? mainErrors(() => baseUrl);
  const server = await serveHttp(createRestHandler({ ...options, errors, baseUrl: () => baseUrl }), options);
  baseUrl ||= server.localUrl;
  return { address: server.address, baseUrl, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
