import type { RequestOptions } from 'node:https';
import {
  type ApiConstructor, ApiException, type ApiType, createConfiguration, HttpMethod, KubeConfig, type RequestContext,
  ServerConfiguration,
} from '@kubernetes/client-node';
import type { Outbound } from '@platform/outbound';
import { createBreaker, type Deadline, remaining, shrink } from '@platform/service';
import { Agent, buildConnector } from 'undici';
import { Fault } from '@platform/faults';
import { boundedHttp } from './bounded-http.ts';
import type { ClusterAccess } from './kubeconfig.ts';
import { translateFailure } from './translate-failure.ts';
import { type HeardChange, watchOnce } from './watch-once.ts';

export interface ClusterConnection extends AsyncDisposable {
  /**
   * Calls a typed API of @kubernetes/client-node: `call(CoreV1Api, (core) => core.readNamespace({ name }), deadline)`.
   * @param contentType content type of the body; default: the type that @kubernetes/client-node chooses
   * @throws Fault UNAVAILABLE, DEADLINE_EXCEEDED, BAD_UPSTREAM, BODY_TOO_LARGE; ApiException for 404, 409, 410 and 422,
   *   which callers handle
   */
  call<Api extends ApiType, Result>(
    type: ApiConstructor<Api>, act: (api: Api) => Promise<Result>, deadline: Deadline, contentType?: string,
  ): Promise<Result>;
  /** Reads any path as JSON. `characters`: the length of the answer's text. @throws as {@link call} */
  get(
    path: string, query: Readonly<Record<string, string>>, deadline: Deadline,
  ): Promise<{ readonly body: unknown; readonly characters: number }>;
  /**
   * Watches the objects at `path`, over a separate connection. The watch ends when the server ends it, usually after
   * 25 seconds, or when `stopping` aborts.
   * @param version a `resourceVersion`; the server sends only changes after this version
   * @returns 'expired' if the server no longer has all changes after this version. The caller must list the objects
   *   again.
   * @throws Fault UNAVAILABLE, DEADLINE_EXCEEDED (the server became silent), BAD_UPSTREAM, or a Fault that `heard`
   *   throws; ApiException for 404, 409 and 422
   */
  watch(
    path: string, version: string, heard: (change: HeardChange) => void, stopping: AbortSignal,
  ): Promise<'ended' | 'expired'>;
  /** Closes the connections after the running calls have ended. Disposing aborts running calls. */
  close(): Promise<void>;
}

export type JudgedAddresses = Pick<Outbound, 'parse' | 'lookup' | 'tunnel'>;

/** The longest duration of one call to a cluster, in milliseconds (open-points 1.9). */
const callMs = 10_000;

/**
 * Prepares connections to a cluster. The first call opens the first connection.
 * @param outbound checks each address to which a connection is made. Set it if a customer names the address of the
 *   cluster. Leave it out if the operator of this process names the address.
 */
export function openCluster({ config, server }: ClusterAccess, outbound?: JudgedAddresses): ClusterConnection {
  const pooled = new PooledConfig(config, { connections: 8 }, outbound);
  // Each watch occupies a connection until the watch ends. There may be long gaps between two changes.
  const watching = new PooledConfig(config, { connections: null, headersTimeout: callMs, bodyTimeout: 0 }, outbound);
  const baseServer = new ServerConfiguration(server, {});
  const breaker = createBreaker({ most: 3, pauseMs: 5_000 });

  /** Limits the time of a call. Refuses calls for a few seconds after several calls in a row had no answer. */
  async function guarded<Result>(deadline: Deadline, act: (bounded: Deadline) => Promise<Result>): Promise<Result> {
    const retryAfterSeconds = breaker.refusal();
    if (retryAfterSeconds !== undefined) {
      const message = 'the last calls to the cluster had no answer, try again later';
      throw new Fault('UNAVAILABLE', message, { retryAfterSeconds });
    }
    const bounded = shrink(deadline, callMs);
    try {
      outbound?.parse(server);
      const result = await act(bounded);
      breaker.succeeded();
      return result;
    } catch (error) {
      const failure = translateFailure(error, bounded.signal);
      const gaveUp = bounded.signal.aborted && remaining(bounded) > 0;
      if (!didNotAnswer(error, failure)) breaker.succeeded();
      else if (!gaveUp) breaker.failed();
      throw failure;
    }
  }

  const end = (act: (agent: Agent) => Promise<void>) => Promise.all([pooled, watching].map((one) => one.end(act)));
  return {
    call: (type, act, deadline, contentType) => guarded(deadline, (bounded) => {
      const limit = {
        pre: async (context: RequestContext) => {
          context.setSignal(bounded.signal);
          if (contentType !== undefined) context.setHeaderParam('Content-Type', contentType);
          return context;
        },
        post: async <Response>(response: Response) => response,
      };
      return act(new type(createConfiguration({
        baseServer, httpApi: boundedHttp, authMethods: { default: pooled }, promiseMiddleware: [limit],
      })));
    }),
    get: (path, query, deadline) => guarded(deadline, async (bounded) => {
      const context = baseServer.makeRequestContext(path, HttpMethod.GET);
      context.setHeaderParam('Accept', 'application/json');
      for (const [name, value] of Object.entries(query)) context.setQueryParam(name, value);
      context.setSignal(bounded.signal);
      await pooled.applySecurityAuthentication(context);
      const { httpStatusCode, headers, body } = await boundedHttp.send(context).toPromise();
      const text = await body.text();
      if (httpStatusCode !== 200) throw new ApiException(httpStatusCode, 'the request was refused', text, headers);
      return { body: JSON.parse(text) as unknown, characters: text.length };
    }),
    watch: async (path, version, heard, stopping) => {
      try {
        outbound?.parse(server);
        return await watchOnce(watching, path, version, heard, stopping);
      } catch (error) {
        throw translateFailure(error, stopping);
      }
    },
    close: async () => void (await end((agent) => agent.close())),
    [Symbol.asyncDispose]: async () => void (await end((agent) => agent.destroy())),
  };
}

/** Returns whether the server did not answer. Any answer, even an error, shows that the server is up. */
function didNotAnswer(error: unknown, failure: unknown): boolean {
  if (error instanceof ApiException || !(failure instanceof Fault)) return false;
  return failure.reason === 'UNAVAILABLE' || failure.reason === 'DEADLINE_EXCEEDED';
}

/** KubeConfig creates a new connection pool for each request. This class keeps one pool for all requests. */
class PooledConfig extends KubeConfig {
  #agent: Promise<Agent> | undefined;
  #headers: Readonly<Record<string, string>> = {};

  readonly #options: Agent.Options;
  readonly #outbound: JudgedAddresses | undefined;

  constructor(config: KubeConfig, options: Agent.Options, outbound: JudgedAddresses | undefined) {
    super();
    this.#options = options;
    this.#outbound = outbound;
    this.loadFromOptions(config);
  }

  override async applySecurityAuthentication(context: RequestContext): Promise<void> {
    const agent = await (this.#agent ??= this.#open());
    for (const [name, value] of Object.entries(this.#headers)) context.setHeaderParam(name, value);
    context.setDispatcher(agent);
  }

  /** Calls `act` with the agent. Does nothing if no request has opened the agent. */
  async end(act: (agent: Agent) => Promise<void>): Promise<void> {
    const agent = await this.#agent?.catch(() => undefined);
    if (agent !== undefined) await act(agent);
  }

  async #open(): Promise<Agent> {
    const options: RequestOptions = {};
    await this.applyToHTTPSOptions(options);
    const { ca, cert, key, servername, rejectUnauthorized, auth } = options;
    const basic = auth === undefined || auth === null ? {} : { Authorization: `Basic ${Buffer.from(auth).toString('base64')}` };
    this.#headers = { ...basic, ...options.headers as Record<string, string> | undefined };
    const connect = Object.entries({ ca, cert, key, servername, rejectUnauthorized })
      .filter(([, value]) => value !== undefined && value !== null);
    const lookup = this.#outbound === undefined ? {} : { lookup: this.#outbound.lookup };
    const made = buildConnector({ ...Object.fromEntries(connect), ...lookup, timeout: callMs, allowH2: false });
    return new Agent({
      connect: (target, ready) => {
        const tunnel = this.#outbound?.tunnel(target.hostname.replace(/^\[|\]$/g, ''));
        if (tunnel === undefined) return made(target, ready);
        tunnel(Number(target.port || 443)).then((httpSocket) => made({ ...target, httpSocket }, ready))
          .catch((error: unknown) => ready(error as Error, null));
      },
      keepAliveTimeout: 30_000,
      // If an HTTP/2 connection is reset at the end of its handshake, undici leaves all later calls without an answer.
      allowH2: false,
      ...this.#options,
    });
  }
}
