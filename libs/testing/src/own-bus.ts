import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type NatsAccess, planNats } from '@platform/backing';
import { held } from './harness.ts';
import { type OwnServer, ownServers } from './own-server.ts';
import type { ServiceSettings } from './start-service.ts';
import { tcpProxy, type TcpProxy } from './tcp-proxy.ts';

/**
 * A separate NATS server for one spec, which can be stopped, restarted and made to lose its accounts. Stopped at the
 * end of the spec file, or earlier by disposing.
 */
export interface OwnBus extends Omit<OwnServer<never>, 'plan'>, AsyncDisposable {
  /** Access for members, who connect directly. */
  readonly access: NatsAccess;
  /** The proxy between the service and the server. */
  readonly proxy: TcpProxy;
  /** Settings of a service that admits accounts: the connection through the proxy, and all secrets. */
  readonly settings: ServiceSettings;
  /** Deletes all pushed accounts while the server is stopped. */
  forget(): Promise<void>;
}

/** @throws BackingFault if there is no nats-server and none can be built */
export async function ownBus(): Promise<OwnBus> {
  const servers = await ownServers();
  const { state, found: { nats: source } } = servers;
  if (source.kind !== 'binary') throw new Error('there is no nats-server to run');
  const { plan: { access }, ...server } = await servers.open(() => planNats({ source, state, volatile: true }));
  const proxy = await tcpProxy(access.url);
  return held({
    ...server, access, proxy,
    settings: {
      'nats.url': `nats://${proxy.address}`,
      'nats.credentials': access.credentials, 'nats.systemCredentials': access.systemCredentials,
      'nats.accountSeed': access.accountSeed, 'nats.operatorSeed': access.operatorSeed,
    },
    forget: () => rm(join(state.nats, 'accounts'), { recursive: true }),
    [Symbol.asyncDispose]: () => servers[Symbol.asyncDispose](),
  });
}
