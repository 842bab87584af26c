import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type NatsAccess, planNats } from '@platform/backing';

import { held } from './harness.ts';
import { type OwnServer, ownServers } from './own-server.ts';
import type { ServiceSettings } from './start-service.ts';
import { tcpProxy, type TcpProxy } from './tcp-proxy.ts';

/**
 * A NATS of a spec's own, which can be stopped, started again and robbed of what it knows. Stopped for good when the
 * spec file is done, or earlier by disposing.
 */
export interface OwnBus extends Omit<OwnServer<never>, 'plan'>, AsyncDisposable {
  /** As members reach it: directly. */
  readonly access: NatsAccess;
  /** Between the service and the server. */
  readonly proxy: TcpProxy;
  /** Settings of a service that admits others: the way through the proxy, and all the secrets. */
  readonly settings: ServiceSettings;
  /** Forgets every account that was pushed, while it is stopped. */
  forget(): Promise<void>;
}

/** @throws BackingFault when there is no nats-server and none can be built */
export async function ownBus(): Promise<OwnBus> {
  const servers = await ownServers();
  const { nats: source } = servers.found;
  if (source.kind !== 'binary') throw new Error('there is no nats-server to run');
  const { state } = servers;
  const server = await servers.open(() => planNats({ source, state, volatile: true }));
  const { access } = server.plan;
  const proxy = await tcpProxy(access.url);
  return held({
    access,
    proxy,
    settings: {
      'nats.url': `nats://${proxy.address}`,
      'nats.credentials': access.credentials,
      'nats.systemCredentials': access.systemCredentials,
      'nats.accountSeed': access.accountSeed,
      'nats.operatorSeed': access.operatorSeed,
    },
    runs: server.runs,
    stop: server.stop,
    kill: server.kill,
    start: server.start,
    forget: () => rm(join(state.nats, 'accounts'), { recursive: true }),
    [Symbol.asyncDispose]: () => servers[Symbol.asyncDispose](),
  });
}
