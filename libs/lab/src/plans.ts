import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServerPlan, stopLeftover } from '@platform/backing';
import type { ClusterFolder } from './cluster-folder.ts';

/** The settings that all processes of the lab share. */
export interface Surroundings {
  readonly binary: string;
  readonly home: string;
}

export interface Program {
  /** Name of the process and of its log, unique in the lab. */
  readonly name: string;
  /** Absolute path of the executable. Default: the lab's binary. */
  readonly command?: string;
  /** Arguments. For the lab's binary, the first argument is the name of a program. */
  readonly args: readonly string[];
  readonly ports: readonly number[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly stopSignal?: NodeJS.Signals;
  ready(signal: AbortSignal): Promise<void>;
}

/** Time between the stop signal and SIGKILL, in milliseconds. */
const graceMs = 2_000;
const readyMs = 60_000;

/** Describes one process of the lab. Its ports are fixed, because they are stored in the state of the lab. */
export function planProgram({ binary, home }: Surroundings, program: Program): ServerPlan {
  const pidFile = join(home, 'processes', `${program.name}.json`);
  const temporary = join(home, 'tmp');
  return {
    name: program.name,
    command: program.command ?? binary,
    args: program.args,
    // TMPDIR is a folder of the lab, because OCM's programs leave folders in it.
    environment: { PATH: '/usr/bin:/bin', HOME: home, TMPDIR: temporary, ...program.environment },
    workingDirectory: home,
    pidFile,
    ports: program.ports,
    portFixed: true,
    stopSignal: program.stopSignal ?? 'SIGTERM',
    graceMilliseconds: graceMs,
    readyMilliseconds: readyMs,
    prepare: async () => {
      await mkdir(temporary, { recursive: true, mode: 0o700 });
      await stopLeftover(pidFile);
    },
    ready: program.ready,
    alive: async () => undefined,
  };
}

/**
 * Returns the arguments of etcd, which stores the objects of all clusters. etcd does not wait for the disk, so a crash
 * of the machine may destroy the state.
 */
export function etcdArgs(home: string, port: number): string[] {
  const url = `http://127.0.0.1:${port}`;
  return [
    'etcd', '--data-dir', join(home, 'etcd'), '--listen-client-urls', url, '--advertise-client-urls', url,
    '--listen-peer-urls', 'http://127.0.0.1:0', '--unsafe-no-fsync', '--log-level', 'error',
  ];
}

export function apiServerArgs(cluster: ClusterFolder, etcdPort: number, port: number): string[] {
  return [
    'kube-apiserver', '--etcd-servers', `http://127.0.0.1:${etcdPort}`, '--etcd-prefix', `/${cluster.name}`,
    '--bind-address', '127.0.0.1', '--secure-port', String(port),
    '--tls-cert-file', cluster.file('api.crt'), '--tls-private-key-file', cluster.file('api.key'),
    '--client-ca-file', cluster.file('ca.crt'),
    '--service-account-issuer', 'https://kubernetes.default.svc',
    '--service-account-key-file', cluster.file('sa.key'), '--service-account-signing-key-file', cluster.file('sa.key'),
    '--service-cluster-ip-range', '10.0.0.0/24', '--authorization-mode', 'RBAC',
    '--endpoint-reconciler-type', 'none', '--profiling=false',
    // On a cluster with a node, the API server calls the kubelet for logs of pods and for commands in pods.
    '--kubelet-preferred-address-types', 'InternalIP',
    '--kubelet-client-certificate', cluster.file('admin.crt'), '--kubelet-client-key', cluster.file('admin.key'),
  ];
}

/** Controllers of a cluster without a node, for example for namespaces, roles and the certificates of agents. */
const controllers = [
  'namespace-controller', 'serviceaccount-controller', 'serviceaccount-token-controller',
  'garbage-collector-controller', 'clusterrole-aggregation-controller', 'certificatesigningrequest-signing-controller',
  'certificatesigningrequest-approving-controller', 'certificatesigningrequest-cleaner-controller',
  'root-ca-certificate-publisher-controller',
];

/** @param withNode if true, runs all controllers that Kubernetes enables by default, because workloads need them */
export function controllerManagerArgs(cluster: ClusterFolder, withNode: boolean): string[] {
  return [
    'kube-controller-manager', '--kubeconfig', cluster.kubeconfig, '--bind-address', '127.0.0.1', '--secure-port', '0',
    '--leader-elect=false', '--service-account-private-key-file', cluster.file('sa.key'),
    '--root-ca-file', cluster.file('ca.crt'), '--cluster-signing-cert-file', cluster.file('ca.crt'),
    '--cluster-signing-key-file', cluster.file('ca.key'), '--profiling=false',
    '--controllers', withNode ? '*' : controllers.join(','),
  ];
}

export const hubNamespace = 'open-cluster-management-hub';
export const agentNamespace = 'open-cluster-management-agent';

/** Returns the arguments of OCM's hub controller, which accepts spokes that join as the service account `bootstrap`. */
export function hubControllerArgs(hub: ClusterFolder, port: number): string[] {
  return [
    'hub', '--disable-leader-election', '--namespace', hubNamespace, '--kubeconfig', hub.kubeconfig,
    '--listen', `127.0.0.1:${port}`, '--feature-gates', 'ManagedClusterAutoApproval=true',
    '--auto-approved-csr-users', `system:serviceaccount:${hubNamespace}:bootstrap`,
  ];
}

/** Returns the arguments of the process that runs OCM's registration agent and work agent for a spoke. */
export function agentArgs(spoke: ClusterFolder, bootstrapKubeconfig: string, apiPort: number, port: number): string[] {
  return [
    'agent', '--disable-leader-election', '--namespace', agentNamespace, '--kubeconfig', spoke.kubeconfig,
    '--spoke-cluster-name', spoke.name, '--agent-id', `agent-${spoke.name}`,
    '--bootstrap-kubeconfig', bootstrapKubeconfig, '--hub-kubeconfig-dir', spoke.file('hub'),
    '--spoke-external-server-urls', `https://127.0.0.1:${apiPort}`,
    '--workload-source-driver', 'kube', '--workload-source-config', join(spoke.file('hub'), 'kubeconfig'),
    '--status-sync-interval', '2s', '--listen', `127.0.0.1:${port}`,
  ];
}
