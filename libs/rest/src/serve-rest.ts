import { type ErrorFormat, mainErrors, serveHttp } from '@platform/http';
import type { Readiness } from '@platform/service';
import type { WatchedTls } from '@platform/tls';
import { createRestHandler, type RestHandlerOptions } from './rest-handler.ts';

export interface RestOptions extends Omit<RestHandlerOptions, 'baseUrl' | 'errors'> {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Undefined: the address it listens on. */
  readonly baseUrl: string | undefined;
  /** How refusals look; default: the error body of the main API. */
  readonly errors?: ErrorFormat;
  /** The certificate of HTTPS; plain HTTP without. */
  readonly tls?: WatchedTls | undefined;
  /** How many file handles the process may have; they limit the connections. Default: no limit. */
  readonly fileHandles?: number;
  readonly readiness: Readiness;
  /** Milliseconds for which it accepts connections after the stop signal; default 0. */
  readonly stopDelay?: number;
  /** Milliseconds for which it waits for what is on its way when it stops; default 1 s. Setting `stop.silence`. */
  readonly stopSilence?: number;
}

/**
 * A REST server on its port. Disposing it closes each connection after its next answer, refuses new connections after
 * the delay, answers the requests on open connections, and closes silent connections.
 */
export interface RestServer extends AsyncDisposable {
  /** `host:port` it listens on. */
  readonly address: string;
  /** Address under which clients reach it, without a slash at the end. */
  readonly baseUrl: string;
}

/**
 * Serves the bound methods of a surface. Methods a deployment does not register return the plain 404.
 * @throws Error for a method that cannot be served
 */
export async function serveRest(options: RestOptions): Promise<RestServer> {
  let baseUrl = options.baseUrl ?? '';
  const errors = options.errors ?? mainErrors(() => baseUrl);
  const server = await serveHttp(createRestHandler({ ...options, errors, baseUrl: () => baseUrl }), options);
  baseUrl ||= server.localUrl;
  return { address: server.address, baseUrl, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
