import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { probeJetstream } from '@platform/bus';
import type { ServerPlan } from '@platform/backing';
import { freePort } from './free-port.ts';
import { held } from './harness.ts';
import { ownServers } from './own-server.ts';
import { until } from './until.ts';

/**
 * Three NATS servers with one JetStream that accept every client. The URL has all addresses, separated by commas.
 * @param credentials any credentials: clients send some, but the servers do not check them
 */
export async function busCluster(credentials: string): Promise<AsyncDisposable & { readonly url: string }> {
  const servers = await ownServers();
  const { nats } = servers.found;
  if (nats.kind !== 'binary') throw new Error('there is no nats-server to run');
  const members = await Promise.all([1, 2, 3].map(async (number) => ({
    name: `nats-${number}`, port: await freePort(), routePort: await freePort(),
  })));
  const routes = members.map(({ routePort }) => `nats://127.0.0.1:${routePort}`).join(', ');
  const planOf = async ({ name, port, routePort }: (typeof members)[number]): Promise<ServerPlan> => {
    const folder = join(servers.state.nats, name);
    const configuration = join(folder, 'server.conf');
    return {
      name, command: nats.file, args: ['-c', configuration], environment: { PATH: '/usr/bin:/bin' },
      workingDirectory: servers.state.nats, pidFile: servers.state.pidFile(name), ports: [port, routePort],
      portFixed: true, stopSignal: 'SIGTERM', graceMilliseconds: 4_000, readyMilliseconds: 30_000,
      prepare: async () => {
        await mkdir(folder, { recursive: true });
        await writeFile(configuration, `
          server_name: ${name}
          listen: "127.0.0.1:${port}"
          jetstream { store_dir: "${folder}" }
          cluster { name: spec, listen: "127.0.0.1:${routePort}", routes: [${routes}] }
        `);
      },
      // A single server has no leader, so only the whole cluster can become ready.
      ready: async () => undefined,
      alive: async () => undefined,
    };
  };
  for (const member of members) await servers.open(() => planOf(member));
  const url = members.map(({ port }) => `nats://127.0.0.1:${port}`).join(',');
  await until(() => probeJetstream({ url, credentials }, 2_000).then(() => true), {
    within: 30_000, what: 'the servers have a leader',
  });
  return held({ url, [Symbol.asyncDispose]: () => servers[Symbol.asyncDispose]() });
}
