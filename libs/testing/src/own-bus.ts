import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReaper, findServers, type NatsAccess, openState, planNats, removeState, start } from '@platform/backing';

import { freePort } from './free-port.ts';
import { held } from './harness.ts';
import type { ServiceSettings } from './start-service.ts';
import { tcpProxy, type TcpProxy } from './tcp-proxy.ts';

/**
 * A NATS of a spec's own, which can be stopped, started again and robbed of what it knows. Stopped for good when the
 * spec file is done, or earlier by disposing.
 */
export interface OwnBus extends AsyncDisposable {
  /** As members reach it: directly. */
  readonly access: NatsAccess;
  /** Between the service and the server. */
  readonly proxy: TcpProxy;
  /** What a service that admits others is told of it: the way through the proxy, and all the secrets. */
  readonly settings: ServiceSettings;
  stop(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  /** Forgets every account that was pushed, while it is stopped. */
  forget(): Promise<void>;
}

/** @throws BackingFault when there is no nats-server and none can be built */
export async function ownBus(): Promise<OwnBus> {
  // Whatever addresses the environment names: those servers are not this spec's to stop.
  const variables = Object.entries(process.env).filter(([name]) => !/^PLATFORM_.*_URL$/.test(name));
  const environment = Object.fromEntries(variables);
  const { nats: source } = await findServers({ environment, report: () => undefined });
  if (source.kind !== 'binary') throw new Error('there is no nats-server to run');
  const home = await mkdtemp(join(tmpdir(), 'platform-own-bus-'));
  const state = await openState(home);
  const reaper = createReaper();
  const port = await freePort();
  const plan = () => planNats({ source, state, port, volatile: true });
  const launch = () => start(plan, { logFile: state.logFile('nats'), reaper });
  let running = await launch();
  const { access } = running.plan;
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
    stop: () => running.server.stop().then(() => undefined),
    start: async () => {
      running = await launch();
    },
    forget: () => rm(join(state.nats, 'accounts'), { recursive: true }),
    [Symbol.asyncDispose]: async () => {
      await running.server.stop();
      await reaper.close();
      await removeState(home);
    },
  });
}
