import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '@platform/backing';
import { type Service, services } from '@platform/service';
import { projectRoot } from '../home.ts';
import { handOver, openfgaKeyName, openSecrets } from '../kept-secrets.ts';
import type { RunFile } from '../run-file.ts';
import { type BackingServer, openBackingServers } from './backing-servers.ts';
import { openCertificates } from './certificates.ts';
import { askEverything } from './first-answers.ts';
import type { PlatformOptions } from './platform-options.ts';
import { handOverBus, handOverPostgres } from './server-secrets.ts';
import { localUrl, serviceEnvironment, type ServicePorts, type ServiceSurroundings } from './service-environment.ts';
import { servicePart } from './service-process.ts';
import { runInOrder, type Step } from './start-order.ts';
import { watchedParts } from './watched-parts.ts';

export interface Platform {
  /** The content of `run.json`. */
  readonly run: RunFile;
  /**
   * Stops the gateway, then the other services, then the servers. Returns the parts that did not end cleanly, such as
   * `orgs-teams (SIGKILL)`.
   */
  stop(): Promise<readonly string[]>;
}

const readyMs = 60_000;
/** Time after `stop.timeout`, in milliseconds, before the launcher kills a service that has not stopped. */
const stopReserveMs = 500;

/**
 * Starts each part once the servers that it needs are ready. Resolves when the platform answers.
 * @throws the first failure, after all parts have been stopped again
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { settings, state, reaper, progress: { report, step }, signal } = options;
  const servers = await openBackingServers(options);
  const certificates = settings.ownCertificates ? await openCertificates(settings, report) : undefined;
  const around: ServiceSurroundings = { ...(await surroundings(options)), certificates };
  const parts = watchedParts([servers.postgres, servers.nats, servers.openfga], settings.home, report);
  const stop = async (): Promise<readonly string[]> => {
    const disorderly = await parts.stop();
    await certificates?.[Symbol.asyncDispose]();
    return disorderly;
  };
  const serverStep = (server: BackingServer<unknown>, after: readonly string[], then?: () => Promise<void>): Step => {
    const part = server.part && parts.add(server.part);
    return {
      name: server.name,
      after,
      run: (starting) => step(server.name, async () => {
        await (part?.start(starting) ?? server.probe(AbortSignal.any([starting, AbortSignal.timeout(10_000)])));
        await then?.();
      }),
    };
  };
  const serviceStep = (entry: Service): Step => {
    const part = parts.add(servicePart({
      name: entry.name,
      main: join(projectRoot, 'apps', entry.name, 'src/main.ts'),
      environment: () => serviceEnvironment(entry, around),
      workingDirectory: projectRoot,
      logFile: state.logFile(entry.name),
      readyMs,
      graceMs: settings.stopTimeoutMs + stopReserveMs,
    }, around.ports.get(entry.name)!, settings.silenceMs, reaper));
    // A service starts without waiting for other services. It knows their ports already, and its calls wait until the
    // called service answers.
    const after = [entry.schema && 'schemas', entry.bus && 'nats', entry.engine && 'openfga'];
    return {
      name: entry.name,
      after: after.filter((name) => typeof name === 'string'),
      run: (starting) => step(entry.name, () => part.start(starting)),
    };
  };
  const steps = [
    serverStep(servers.postgres, []),
    { name: 'schemas', after: ['postgres'], run: async () => handOverPostgres(state, around, servers) },
    serverStep(servers.nats, [], async () => {
      around.natsUrl = servers.nats.access().url;
      await handOverBus(state, around, servers.nats.access());
    }),
    serverStep(servers.openfga, ['schemas'], async () => {
      around.openfgaUrl = servers.openfga.access().url;
      const key = await handOver(state, openfgaKeyName, servers.openfga.access().presharedKey);
      around.secrets.set('openfga.presharedKey', key);
    }),
    ...services.map(serviceStep),
  ];
  try {
    await runInOrder(steps, signal);
    return { run: await askEverything(options, around, servers), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns what the services need to know, without the certificates and the data of the running servers. */
async function surroundings({ settings, environment, state }: PlatformOptions): Promise<ServiceSurroundings> {
  const found = await freePorts(services.length * 3);
  const ports = new Map<string, ServicePorts>(services.map(({ name, http, passes }, index) => {
    const [api, admin, passed] = found.slice(index * 3) as [number, number, number];
    const given = passes?.listen === 'marketplace.listener.port' && settings.listenerPort;
    return [name, { api: (http && settings.httpPort) || api, admin, ...(passes && { passed: given || passed }) }];
  }));
  const compileCache = join(projectRoot, 'node_modules/.cache/node-compile');
  await mkdir(compileCache, { recursive: true }).catch(() => undefined);
  return {
    environment,
    settings,
    secrets: new Map(await openSecrets(state, settings.given)),
    baseUrl: settings.baseUrl ?? localUrl(settings, ports.get('gateway')!.api),
    compileCache,
    ports,
    ownSecrets: { 'postgres.url': new Map(), 'nats.credentials': new Map() },
  };
}
