import { execFile } from 'node:child_process';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Api } from '../api.ts';
import { type ClusterFolder, writeSecret } from '../cluster-folder.ts';
import { type Processes, untilHolds } from '../processes.ts';
import { cgroupOf, makeCgroup, removeCgroup } from './cgroup.ts';
import { writeImage } from './image.ts';
import { connect, freeNetwork, type NodeNetwork } from './network.ts';
import type { NodeBinaries } from './node-binary.ts';
import { containerdConfig, kubeletConfig, namespacesScript, networkPlugins, pauseImage } from './node-files.ts';
import { announceApiServer, isReady, prepareVolumes } from './node-objects.ts';
import { enforcePolicies } from './policies.ts';
import { nodePath } from './requirements.ts';

const run = promisify(execFile);

/** A real node of a lab cluster: containerd, kubelet and kube-proxy, in their own Linux namespaces. */
export interface LabNode {
  readonly name: string;
  /** Address of the node on its link to this machine. Services of the type NodePort answer there. */
  readonly address: string;
  /** Address of this machine on its link to the node. */
  readonly host: string;
  /** Folder with settings for registries. At each pull, containerd reads the file `{host}:{port}/hosts.toml`. */
  readonly registries: string;
  /** Id of a process in the namespaces of the node: `nsenter --target PID --net --mount --pid` enters them. */
  readonly pid: number;
}

export interface NodeOptions {
  readonly cluster: ClusterFolder;
  readonly api: Api;
  /** Port of the API server on 127.0.0.1. */
  readonly port: number;
  readonly binaries: NodeBinaries;
  readonly processes: Processes;
}

const enter = '/usr/bin/nsenter';
const commandMs = 60_000;
/** Port at which the node reaches the API server. */
const apiPort = 6443;
const volumes = 32;

/**
 * Joins a real node to a running cluster. If the lab ends or is killed, all processes on the node end too.
 * @throws an error, usually a BackingFault
 */
export async function startNode({ cluster, api, port, binaries, processes }: NodeOptions): Promise<LabNode> {
  const name = `${cluster.name}-node`;
  const file = (path: string): string => cluster.file(`node/${path}`);
  // Start as after a reboot: images and volumes stay, earlier pods do not run.
  await rm(file('kubelet'), { recursive: true, force: true });
  for (const folder of ['kubelet', 'plugins', 'containerd', 'registries']) {
    await mkdir(file(folder), { recursive: true, mode: 0o700 });
  }
  const cgroup = cgroupOf(cluster.folder);
  await makeCgroup(cgroup);

  const holder = await openNamespaces(name, file('namespaces'), binaries.pause, processes);
  const network = await freeNetwork();
  await connect(network, holder);
  const inside = (program: string, ...args: readonly string[]): readonly string[] => [
    '--target', String(holder), '--net', '--mount', '--pid', '--', program, ...args,
  ];
  const start = (part: string, program: string, ...args: readonly string[]): Promise<unknown> => {
    const environment = { PATH: nodePath };
    return processes.run({ name: `${name}-${part}`, command: enter, args: inside(program, ...args), environment });
  };

  const kubeconfig = file('kubeconfig');
  await writeSecret(kubeconfig, await asSeenByNode(cluster, network));
  await processes.run({
    name: `${name}-forward`, command: binaries.node,
    args: ['forward', `${network.host}:${apiPort}`, `127.0.0.1:${port}`],
  });
  await announceApiServer(api, network.host, apiPort);
  await prepareVolumes(api, name, file('volumes'), volumes);
  await writeFile(file('containerd.toml'), containerdConfig(file('containerd'), file('plugins'), file('registries')));
  await writeFile(file('plugins/10-bridge.conflist'), networkPlugins);
  await writeFile(file('resolv.conf'), `nameserver ${network.node}\n`);
  await writeFile(file('kubelet.yaml'), kubeletConfig({
    cgroup, address: network.node, authority: cluster.file('ca.crt'), folder: cluster.file('node'),
  }));
  const image = file('pause.tar');
  await writeImage(image, { name: pauseImage, files: [[binaries.pause, 'pause']], entrypoint: ['/pause'] });

  await start('containerd', 'containerd', '--config', file('containerd.toml'));
  const importing = inside('ctr', '--namespace', 'k8s.io', 'images', 'import', image);
  await untilHolds(() => succeeds(importing), processes.signal);
  await start('dns', binaries.node, 'dns', kubeconfig, `${network.node}:53`);
  await start('kubelet', binaries.node, 'kubelet', '--config', file('kubelet.yaml'), '--kubeconfig', kubeconfig,
    '--hostname-override', name, '--node-ip', network.node,
    '--root-dir', file('kubelet'), '--cert-dir', file('kubelet/pki'));
  await start('proxy', binaries.node, 'kube-proxy', '--kubeconfig', kubeconfig, '--proxy-mode', 'iptables',
    '--hostname-override', name, '--cluster-cidr', network.pods, '--bind-address', network.node,
    '--nodeport-addresses', 'primary', '--conntrack-max-per-core', '0',
    '--conntrack-tcp-timeout-established', '0s', '--conntrack-tcp-timeout-close-wait', '0s');
  await processes.run({
    name: `${name}-scheduler`, command: binaries.node,
    args: [
      'kube-scheduler', '--kubeconfig', cluster.kubeconfig, '--leader-elect=false',
      '--bind-address', '127.0.0.1', '--secure-port', '0',
    ],
  });
  await untilHolds(() => isReady(api, name), processes.signal);
  const restore = inside('iptables-restore', '--noflush', '--wait');
  void enforcePolicies(api, (rules) => withInput(restore, rules), processes.signal);
  processes.onStop(() => removeCgroup(cgroup));
  return { name, address: network.node, host: network.host, registries: file('registries'), pid: holder };
}

/**
 * Starts a process in new Linux namespaces, and returns its pid. When this process ends, the kernel ends all other
 * processes in the namespaces.
 * @param file path of the file that the process writes when the namespaces are ready
 */
async function openNamespaces(name: string, file: string, pause: string, processes: Processes): Promise<number> {
  await rm(file, { force: true });
  const { pid } = await processes.run({
    name: `${name}-namespaces`,
    command: '/usr/bin/unshare',
    args: [
      '--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc',
      '--', '/bin/sh', '-c', namespacesScript, 'node', file, pause,
    ],
    environment: { PATH: nodePath },
    stopSignal: 'SIGKILL',
    ready: async () => {
      await access(file);
    },
  });
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return Number(children.trim());
}

/** Runs `nsenter` with the given arguments. Returns whether the command succeeds. */
function succeeds(args: readonly string[]): Promise<boolean> {
  return run(enter, args, { timeout: commandMs, env: { PATH: nodePath } }).then(() => true, () => false);
}

async function withInput(args: readonly string[], input: string): Promise<void> {
  const running = run(enter, args, { timeout: commandMs, env: { PATH: nodePath } });
  running.child.stdin!.end(input);
  await running;
}

/** Returns the administrator's kubeconfig with the address at which the node reaches the API server. */
async function asSeenByNode({ kubeconfig }: ClusterFolder, { host }: NodeNetwork): Promise<string> {
  const config = JSON.parse(await readFile(kubeconfig, 'utf8')) as { clusters: [{ cluster: Record<string, string> }] };
  Object.assign(config.clusters[0].cluster, { 'server': `https://${host}:${apiPort}`, 'tls-server-name': 'localhost' });
  return JSON.stringify(config);
}
