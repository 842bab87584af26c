import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createReaper, type FindOptions, type Reaper, type RunningServer, type ServerPlan, start, until,
} from '@platform/backing';
import { type Api, openApi } from './api.ts';
import { labBinary } from './binary.ts';
import { type ClusterFolder, openClusterFolder } from './cluster-folder.ts';
import { installDefinitions, isAvailable, isHub, prepareHub, prepareSpoke, uidOf } from './open-cluster-management.ts';
import {
  agentArgs, apiServerArgs, controllerManagerArgs, etcdArgs, hubControllerArgs, planProgram, type Surroundings,
} from './plans.ts';
import { keptPorts, type LabPorts } from './ports.ts';

export interface LabOptions extends FindOptions {
  /** Folder of the lab's state. Started again on the same state, clusters keep their addresses, names and objects. */
  readonly home: string;
  /** How many spokes join the hub, from 0. */
  readonly spokes: number;
}

/** A cluster of the lab. */
export interface LabCluster {
  readonly name: string;
  /** Path of a kubeconfig with the rights of cluster-admin. */
  readonly kubeconfig: string;
  /** UID of its namespace `kube-system`. */
  readonly uid: string;
}

/** A running lab: every spoke has joined the hub and is available. */
export interface Lab extends AsyncDisposable {
  readonly hub: LabCluster;
  readonly spokes: readonly LabCluster[];
  /** Resolves when a process of the lab has ended by itself, with its name. */
  readonly broken: Promise<string>;
}

/** How long spokes may take to join. */
const joinMs = 60_000;

/**
 * Starts a hub with Open Cluster Management and joined spokes on 127.0.0.1. Builds the binary on first use.
 * @throws BackingFault when it cannot be built or started; nothing is left running then
 */
export async function startLab(options: LabOptions): Promise<Lab> {
  const { home, report } = options;
  const begun = performance.now();
  const binary = await labBinary(options);
  for (const folder of [home, join(home, 'logs'), join(home, 'processes')]) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
  const processes = openProcesses({ binary, home }, options.signal);
  try {
    const lab = await startAll({ binary, home }, options, processes);
    report(`The lab is ready after ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    return lab;
  } catch (error) {
    await processes.stop();
    throw error;
  }
}

async function startAll(around: Surroundings, options: LabOptions, processes: Processes): Promise<Lab> {
  const { binary, home } = around;
  const names = ['hub', ...Array.from({ length: options.spokes }, (_, index) => `cluster${index + 1}`)];
  const ports = await keptPorts(home, names);
  await processes.run('etcd', etcdArgs(home, ports.etcd), [ports.etcd], async (signal) => {
    const { ok } = await fetch(`http://127.0.0.1:${ports.etcd}/health`, { signal });
    if (!ok) throw new Error('etcd is not healthy');
  });
  const [hub, ...spokes] = await Promise.all(names.map((name) => startCluster(around, name, ports, processes)));
  await installDefinitions(binary, hub!.api, 'hub');
  const bootstrap = await prepareHub(hub!.api, hub!.folder, ports.clusters['hub']!.api);
  await processes.run('hub-controller', hubControllerArgs(hub!.folder, ports.hubController), [ports.hubController]);
  await untilHolds(() => isHub(hub!.api), options.signal);
  await Promise.all(spokes.map(async ({ api, folder, uid }) => {
    await installDefinitions(binary, api, 'spoke');
    await prepareSpoke(api, folder, uid);
    const { api: apiPort, agent } = ports.clusters[folder.name]!;
    await processes.run(`${folder.name}-agent`, agentArgs(folder, bootstrap, apiPort, agent), [agent]);
    await untilHolds(() => isAvailable(hub!.api, folder.name), options.signal);
  }));
  for (const { api } of [hub!, ...spokes]) api[Symbol.dispose]();
  return {
    hub: shown(hub!),
    spokes: spokes.map(shown),
    broken: processes.broken,
    [Symbol.asyncDispose]: () => processes.stop(),
  };
}

interface StartedCluster {
  readonly folder: ClusterFolder;
  readonly api: Api;
  readonly uid: string;
}

async function startCluster(
  { binary, home }: Surroundings, name: string, ports: LabPorts, processes: Processes,
): Promise<StartedCluster> {
  const { api: port } = ports.clusters[name]!;
  const folder = await openClusterFolder(binary, home, name, port);
  const api = await openApi(folder.kubeconfig, processes.signal);
  await processes.run(`${name}-api`, apiServerArgs(folder, ports.etcd, port), [port], async () => {
    await api.call('GET', '/readyz');
  });
  await processes.run(`${name}-controllers`, controllerManagerArgs(folder), []);
  return { folder, api, uid: await uidOf(api) };
}

function shown({ folder, uid }: StartedCluster): LabCluster {
  return { name: folder.name, kubeconfig: folder.kubeconfig, uid };
}

interface Processes {
  /** Aborts when the lab stops. */
  readonly signal: AbortSignal;
  readonly broken: Promise<string>;
  /** Starts a program and waits until `ready` succeeds. */
  run(
    name: string, args: readonly string[], ports: readonly number[], ready?: (signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
  /** Stops all, the last one started first. */
  stop(): Promise<void>;
}

function openProcesses(around: Surroundings, given: AbortSignal | undefined): Processes {
  const reaper: Reaper = createReaper();
  const stopping = new AbortController();
  const signal = given === undefined ? stopping.signal : AbortSignal.any([given, stopping.signal]);
  const broken = Promise.withResolvers<string>();
  const running: RunningServer[] = [];
  return {
    signal,
    broken: broken.promise,
    run: async (name, args, ports, ready) => {
      const plan: ServerPlan = planProgram(around, {
        name,
        args,
        ports,
        ready: (aborted) => (ready === undefined ? Promise.resolve() : until(ready, aborted)),
      });
      const logFile = join(around.home, 'logs', `${name}.log`);
      const { server } = await start(() => plan, { logFile, reaper, signal });
      running.push(server);
      void server.exited.then(() => {
        if (!stopping.signal.aborted) broken.resolve(name);
      });
    },
    stop: async () => {
      stopping.abort();
      // Agents before controllers before API servers before etcd, each kind at once.
      const waves = [/agent|hub-controller/, /controllers/, /-api/, /etcd/];
      for (const wave of waves) {
        await Promise.all(running.filter(({ name }) => wave.test(name)).map((one) => one.stop()));
      }
      await reaper.close();
    },
  };
}

async function untilHolds(holds: () => Promise<boolean>, signal: AbortSignal | undefined): Promise<void> {
  const deadline = AbortSignal.timeout(joinMs);
  const either = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  while (!(await holds())) await pause(100, undefined, { signal: either });
}
