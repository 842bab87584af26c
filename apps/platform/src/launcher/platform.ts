import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts, type Reaper, type State } from '@platform/backing';
import { coalesce, type Service, services } from '@platform/service';
import { projectRoot } from '../home.ts';
import { type PartStatus, writePartsFile } from '../parts-file.ts';
import type { RunFile } from '../run-file.ts';
import { type BackingServer, openBackingServers } from './backing-servers.ts';
import { openCertificates } from './certificates.ts';
import { askEverything } from './first-answers.ts';
import type { Progress } from './progress.ts';
import { handOver, type KeptSecrets, openfgaKeyName, openSecrets } from '../kept-secrets.ts';
import { handOverBusSeeds, handOverBusUsers, handOverPostgres } from './server-secrets.ts';
import { localUrl, serviceEnvironment, type ServicePorts, type Surroundings } from './service-environment.ts';
import { servicePart } from './service-part.ts';
import type { Environment, LauncherSettings } from './settings.ts';
import { runInOrder, type Step } from './start-order.ts';
import { supervise, type SupervisedPart } from './supervisor.ts';

export interface PlatformOptions {
  readonly settings: LauncherSettings;
  readonly environment: Environment;
  readonly state: State;
  readonly reaper: Reaper;
  readonly progress: Progress;
  /** Aborts the start. */
  readonly signal: AbortSignal;
}

/** A platform that runs. */
export interface Platform {
  /** The addresses at which everything answers. */
  readonly run: RunFile;
  /**
   * Stops all parts in order, so that no part loses what it still needs. Returns those that did not end in order, e.g.
   * `orgs-teams (SIGKILL)`.
   */
  stop(): Promise<readonly string[]>;
}

/** The parts that stop together, from the first phase to the last. */
const stopPhases: readonly (readonly string[])[] = [
  ['gateway'],
  services.map(({ name }) => name).filter((name) => name !== 'gateway'),
  ['openfga', 'nats'],
  ['postgres'],
];

/** Time limit until a service is ready, in milliseconds. */
const readyMs = 60_000;
/** Extra time beyond a service's own time to stop before it is killed, in milliseconds. */
const stopReserveMs = 500;

/**
 * Starts all parts by readiness, concurrently where possible, and resolves when the platform answers.
 * @throws the failure of the first part that could not be started; then everything has been stopped again
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { settings, state, reaper, progress, signal } = options;
  const environment = { ...options.environment, ...settings.givenServers };
  const startedAt = new Date().toISOString();
  const servers = await openBackingServers({
    environment, state, reaper, entries: services, silenceMs: settings.silenceMs, report: progress.report, signal,
  });
  const names = services.map(({ name }) => name);
  const certificates = settings.ownCertificates
    ? await openCertificates(settings, names, progress.report)
    : undefined;
  const around: Surroundings = { ...(await surroundings(options)), certificates };
  const parts: SupervisedPart[] = [];
  const foreign = [servers.postgres, servers.nats, servers.openfga]
    .filter(({ part }) => part === undefined)
    .map(({ name }): PartStatus => ({ name, state: 'external', restarts: 0, since: startedAt }));
  const noteParts = coalesce(async (home: string) => {
    const statuses = [...parts.map((part) => part.status()), ...foreign];
    await writePartsFile(home, { launcher: { pid: process.pid, startedAt }, parts: statuses }).catch(
      (error: Error) => progress.report(`Cannot write the state of the parts:  ${error.message}.`),
    );
  });
  const supervision = { report: progress.report, changed: () => void noteParts(settings.home) };
  const stop = async (): Promise<readonly string[]> => {
    const disorderly = await stopAll(parts);
    await noteParts(settings.home);
    await certificates?.[Symbol.asyncDispose]();
    return disorderly;
  };

  const serverStep = (server: BackingServer<unknown>, after: readonly string[], then?: () => Promise<void>): Step => {
    const supervised = server.part === undefined ? undefined : supervise(server.part, supervision);
    if (supervised !== undefined) parts.push(supervised);
    return {
      name: server.name,
      after,
      run: (starting) => progress.step(server.name, async () => {
        await (supervised?.start(starting) ?? server.probe(AbortSignal.any([starting, AbortSignal.timeout(10_000)])));
        await then?.();
      }),
    };
  };
  const share = (more: KeptSecrets): void => {
    around.secrets = new Map([...around.secrets, ...more]);
  };
  const own = (more: Partial<Surroundings['ownSecrets']>): void => {
    around.ownSecrets = { ...around.ownSecrets, ...more };
  };
  const handOverUrls = async (): Promise<void> => {
    own({ 'postgres.url': await handOverPostgres(state, await servers.provision()) });
  };
  const steps: Step[] = [
    serverStep(servers.postgres, []),
    { name: 'schemas', after: ['postgres'], run: async () => handOverUrls() },
    serverStep(servers.nats, [], async () => {
      const access = servers.nats.access();
      around.natsUrl = access.url;
      share(await handOverBusSeeds(state, access));
      own({ 'nats.credentials': await handOverBusUsers(state, access, services) });
    }),
    serverStep(servers.openfga, ['schemas'], async () => {
      const { url, presharedKey } = servers.openfga.access();
      around.openfgaUrl = url;
      share(new Map([['openfga.presharedKey', await handOver(state, openfgaKeyName, presharedKey)]]));
    }),
  ];
  for (const entry of services) {
    const supervised = supervise(servicePart({
      name: entry.name,
      ports: around.ports.get(entry.name)!,
      reaper,
      silenceMs: settings.silenceMs,
      program: () => ({
        name: entry.name,
        main: join(projectRoot, 'apps', entry.name, 'src/main.ts'),
        environment: serviceEnvironment(entry, around),
        workingDirectory: projectRoot,
        logFile: state.logFile(entry.name),
        readyMs,
        graceMs: settings.stopTimeoutMs + stopReserveMs,
      }),
    }), supervision);
    parts.push(supervised);
    steps.push({
      name: entry.name,
      after: stepsBefore(entry),
      run: (starting) => progress.step(entry.name, () => supervised.start(starting)),
    });
  }
  try {
    await runInOrder(steps, signal);
    return { run: await askEverything({ around, servers, state, report: progress.report, signal }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The steps before the start of a service. Services find each other at planned ports, so none waits for another: calls
 * wait until the other service answers.
 */
function stepsBefore({ schema, bus, engine }: Service): string[] {
  return [...(schema ? ['schemas'] : []), ...(bus ? ['nats'] : []), ...(engine ? ['openfga'] : [])];
}

/** The configured port for paths that the gateway passes on; 0: any free port. */
function portOf(setting: string, { listenerPort }: LauncherSettings): number {
  return setting === 'marketplace.listener.port' ? listenerPort : 0;
}

/** The settings of the services, as far as they are known before anything runs. */
async function surroundings({ settings, environment, state }: PlatformOptions): Promise<Surroundings> {
  const found = await freePorts(services.length * 3);
  const ports = new Map<string, ServicePorts>(services.map(({ name, http, passes }, index) => [name, {
    api: http === true && settings.httpPort !== 0 ? settings.httpPort : found[index * 3]!,
    admin: found[index * 3 + 1]!,
    ...(passes === undefined ? {} : { passed: portOf(passes.listen, settings) || found[index * 3 + 2]! }),
  }]));
  const compileCache = join(projectRoot, 'node_modules/.cache/node-compile');
  await mkdir(compileCache, { recursive: true }).catch(() => undefined);
  return {
    environment,
    settings,
    secrets: await openSecrets(state, settings.given),
    baseUrl: settings.baseUrl ?? localUrl(settings, ports.get('gateway')!.api),
    compileCache,
    ports,
    ownSecrets: { 'postgres.url': new Map(), 'nats.credentials': new Map() },
    natsUrl: undefined,
    openfgaUrl: undefined,
  };
}

/** Stops phase after phase. Each part is killed when its own time is over; time used by other parts does not count. */
async function stopAll(parts: readonly SupervisedPart[]): Promise<readonly string[]> {
  for (const part of parts) part.retire();
  const disorderly: string[] = [];
  for (const phase of stopPhases) {
    await Promise.all(parts.filter(({ name }) => phase.includes(name)).map(async (part) => {
      const end = await part.stop();
      if (end !== undefined) disorderly.push(`${part.name} (${end})`);
    }));
  }
  return disorderly;
}
