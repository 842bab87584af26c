import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FindOptions } from '@platform/backing';
import { type Api, openApi } from './api.ts';
import { labBinary } from './binary.ts';
import { type ClusterFolder, openClusterFolder } from './cluster-folder.ts';
import { type LabNode, startNode } from './node/node.ts';
import { nodeBinaries } from './node/node-binary.ts';
import { assertNodePossible } from './node/requirements.ts';
import { installDefinitions, isAvailable, isHub, prepareHub, prepareSpoke, uidOf } from './open-cluster-management.ts';
import {
  agentArgs, apiServerArgs, controllerManagerArgs, etcdArgs, hubControllerArgs, type Surroundings,
} from './plans.ts';
import { keptPorts, type LabPorts } from './ports.ts';
import { openProcesses, type Processes, untilHolds } from './processes.ts';

export interface LabOptions extends FindOptions {
  /**
   * Folder of the lab's state. After a restart with the same folder, the clusters have their former addresses and
   * objects.
   */
  readonly home: string;
  /** Number of spokes that join the hub; may be 0. */
  readonly spokes: number;
  /** Whether the first spoke has a real node that runs workloads. Needs root and some packages. Default: false. */
  readonly node?: boolean;
}

export interface LabCluster {
  readonly name: string;
  /** Path of a kubeconfig with the rights of cluster-admin. */
  readonly kubeconfig: string;
  /** UID of the cluster's namespace `kube-system`. */
  readonly uid: string;
  readonly node?: LabNode;
}

/** A running lab: every spoke has joined the hub and is available. */
export interface Lab extends AsyncDisposable {
  readonly hub: LabCluster;
  readonly spokes: readonly LabCluster[];
  /** Resolves with the name of the first lab process that ends before the lab is disposed. */
  readonly broken: Promise<string>;
}

/**
 * Starts a hub and its spokes on 127.0.0.1. Resolves when all spokes are available and the node, if any, is ready.
 * Builds programs that the cache lacks.
 * @throws an error, usually a BackingFault, if the lab cannot be built or started; its processes are then stopped
 */
export async function startLab(options: LabOptions): Promise<Lab> {
  const { home, report } = options;
  const begun = performance.now();
  if (options.node === true) await assertNodePossible();
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
  await processes.run({
    name: 'etcd',
    args: etcdArgs(home, ports.etcd),
    ports: [ports.etcd],
    ready: async (signal) => {
      const { ok } = await fetch(`http://127.0.0.1:${ports.etcd}/health`, { signal });
      if (!ok) throw new Error('etcd is not healthy');
    },
  });
  const nodeOf = options.node === true ? names[1] : undefined;
  const [hub, ...spokes] = await Promise.all(names.map((name) => {
    return startCluster(around, name, ports, processes, name === nodeOf);
  }));
  await installDefinitions(binary, hub!.api, 'hub');
  const bootstrap = await prepareHub(hub!.api, hub!.folder, ports.clusters['hub']!.api);
  await processes.run({
    name: 'hub-controller', args: hubControllerArgs(hub!.folder, ports.hubController), ports: [ports.hubController],
  });
  await untilHolds(() => isHub(hub!.api), processes.signal);
  await Promise.all(spokes.map(async ({ api, folder, uid }) => {
    await installDefinitions(binary, api, 'spoke');
    await prepareSpoke(api, folder, uid);
    const { api: apiPort, agent } = ports.clusters[folder.name]!;
    const args = agentArgs(folder, bootstrap, apiPort, agent);
    await processes.run({ name: `${folder.name}-agent`, args, ports: [agent] });
    await untilHolds(() => isAvailable(hub!.api, folder.name), processes.signal);
  }));
  const withNode = spokes.find(({ folder }) => folder.name === nodeOf);
  const node = withNode === undefined ? undefined : await startNode({
    cluster: withNode.folder, api: withNode.api, port: ports.clusters[withNode.folder.name]!.api,
    binaries: await nodeBinaries(options), processes,
  });
  for (const { api } of [hub!, ...spokes]) api[Symbol.dispose]();
  return {
    hub: shown(hub!),
    spokes: spokes.map((spoke) => ({ ...shown(spoke), ...spoke === withNode && node !== undefined ? { node } : {} })),
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
  { binary, home }: Surroundings, name: string, ports: LabPorts, processes: Processes, withNode: boolean,
): Promise<StartedCluster> {
  const { api: port } = ports.clusters[name]!;
  const folder = await openClusterFolder(binary, home, name, port);
  const api = await openApi(folder.kubeconfig, processes.signal);
  await processes.run({
    name: `${name}-api`,
    args: apiServerArgs(folder, ports.etcd, port),
    ports: [port],
    ready: async () => {
      await api.call('GET', '/readyz');
    },
  });
  await processes.run({ name: `${name}-controllers`, args: controllerManagerArgs(folder, withNode) });
  return { folder, api, uid: await uidOf(api) };
}

function shown({ folder, uid }: StartedCluster): LabCluster {
  return { name: folder.name, kubeconfig: folder.kubeconfig, uid };
}
