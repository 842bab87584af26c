import type { RequestOptions } from 'node:https';
import {
  type ApiConstructor, type ApiType, createConfiguration, KubeConfig, type RequestContext, ServerConfiguration,
} from '@kubernetes/client-node';
import { type Deadline, shrink } from '@platform/service';
import { Agent } from 'undici';
import type { ClusterAccess } from './kubeconfig.ts';
import { translateFailure } from './translate-failure.ts';

/** Connections to one API server, kept between calls. */
export interface ClusterConnection extends AsyncDisposable {
  /**
   * Calls a typed API of the library: `call(CoreV1Api, (core) => core.readNamespace({ name }), deadline)`.
   * @throws Fault UNAVAILABLE, DEADLINE_EXCEEDED, BAD_UPSTREAM; ApiException for 404 and 409, which callers handle
   */
  call<Api extends ApiType, Result>(
    type: ApiConstructor<Api>, act: (api: Api) => Promise<Result>, deadline: Deadline,
  ): Promise<Result>;
}

/** The longest one call to a cluster may take (open-points 1.9). */
const callMs = 10_000;
const mostConnections = 8;
const idleMs = 30_000;

/** Opens connections to a cluster; the first is made by the first call. */
export function openCluster({ config, server }: ClusterAccess): ClusterConnection {
  const pooled = new PooledConfig(config);
  const baseServer = new ServerConfiguration(server, {});
  return {
    call: async (type, act, deadline) => {
      const bounded = shrink(deadline, callMs);
      const limit = {
        pre: async (context: RequestContext) => {
          context.setSignal(bounded.signal);
          return context;
        },
        post: async <Response>(response: Response) => response,
      };
      const api = new type(createConfiguration({
        baseServer, authMethods: { default: pooled }, promiseMiddleware: [limit],
      }));
      try {
        return await act(api);
      } catch (error) {
        throw translateFailure(error, bounded.signal);
      }
    },
    [Symbol.asyncDispose]: () => pooled.close(),
  };
}

/** The library makes a new pool of connections for each request; this keeps one for all. */
class PooledConfig extends KubeConfig {
  #agent: Agent | undefined;
  #headers: Readonly<Record<string, string>> = {};

  constructor(config: KubeConfig) {
    super();
    this.loadFromOptions(config);
  }

  override async applySecurityAuthentication(context: RequestContext): Promise<void> {
    this.#agent ??= await this.#open();
    for (const [name, value] of Object.entries(this.#headers)) context.setHeaderParam(name, value);
    context.setDispatcher(this.#agent);
  }

  async close(): Promise<void> {
    await this.#agent?.destroy();
  }

  async #open(): Promise<Agent> {
    const options: RequestOptions = {};
    await this.applyToHTTPSOptions(options);
    const { ca, cert, key, servername, rejectUnauthorized, auth } = options;
    const basic = auth === undefined || auth === null ? {} : { Authorization: `Basic ${Buffer.from(auth).toString('base64')}` };
    this.#headers = { ...basic, ...options.headers as Record<string, string> | undefined };
    const connect = Object.entries({ ca, cert, key, servername, rejectUnauthorized })
      .filter(([, value]) => value !== undefined && value !== null);
    return new Agent({
      connect: { ...Object.fromEntries(connect), timeout: callMs },
      connections: mostConnections,
      keepAliveTimeout: idleMs,
    });
  }
}
