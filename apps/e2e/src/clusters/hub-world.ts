import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Api, ApiFault, openApi } from '@platform/lab';
import { ClusterAdminServiceService } from '@platform/proto/clusters/v1/cluster';
import type { RpcClient } from '@platform/rpc';
import { deadlineIn } from '@platform/service';
import { type HttpAnswer, rpcClient, testLab, until } from '@platform/testing';
import { specCall } from '../operator.ts';
import { type PeopledOrganization, startWorld, type World } from '../orgs/world.ts';
import { type Host, organizationHosts, type PlatformOptions } from '../platform.ts';

const cluster = '/apis/cluster.open-cluster-management.io';
const profile = '/apis/profile.k8s.appscode.com/v1alpha1';
export const paths = {
  clusters: `${cluster}/v1/managedclusters`,
  sets: `${cluster}/v1beta2/managedclustersets`,
  setBindings: (namespace: string) => `${cluster}/v1beta2/namespaces/${namespace}/managedclustersetbindings`,
  profiles: `${profile}/managedclustersetprofiles`,
  profileBindings: (namespace: string) => `${profile}/namespaces/${namespace}/managedclusterprofilebindings`,
  featureSets: '/apis/ui.k8s.appscode.com/v1alpha1/featuresets',
  features: '/apis/ui.k8s.appscode.com/v1alpha1/features',
} as const;

export const setLabel = 'cluster.open-cluster-management.io/clusterset';

/** Services that client organizations and cluster sets need. */
export const clusterHosts: readonly Host[] = [...organizationHosts, 'contracts-licensing', 'clusters'];

/** A platform with an organization that has imported the hub of the lab. Other specs share the hub. */
export interface HubWorld extends AsyncDisposable {
  readonly world: World;
  readonly acme: PeopledOrganization;
  readonly registry: RpcClient<typeof ClusterAdminServiceService>;
  /** The API server of the hub. */
  readonly api: Api;
  readonly hubKubeconfig: string;
  /** Prefix of the names that this spec gives to objects of the hub. */
  readonly prefix: string;
  /** `/api/v1/clusters/{owner}/{hub}` as the owner sees it. */
  readonly path: string;
  get(path: string): Promise<HttpAnswer>;
  post(path: string, json?: unknown): Promise<HttpAnswer>;
  /** Imports a hub by its kubeconfig under an account. */
  importHub(owner: string, name: string, kubeconfig?: string): Promise<void>;
  /** Makes managed clusters that have joined, without an agent; in the set `default` unless another set is given. */
  spokes(count: number, set?: string): Promise<string[]>;
  /** A new cluster set with these clusters, made by the platform. */
  set(...clusters: string[]): Promise<string>;
  /** The set that a cluster is in. */
  setOf(name: string): Promise<string | undefined>;
  /** Undefined if the object does not exist. */
  find(path: string): Promise<Record<string, unknown> | undefined>;
}

/** Runs {@link clusterHosts} unless `options` names other hosts. */
export async function startHubWorld(options?: PlatformOptions): Promise<HubWorld> {
  const lab = await testLab();
  const world = await startWorld({ hosts: clusterHosts, ...options });
  const acme = await world.organizationWith(1);
  const { grpc, serviceCredential } = world.platform;
  const registry = await rpcClient(ClusterAdminServiceService, grpc.clusters.split(','), { serviceCredential });
  const api = await openApi(lab.hub.kubeconfig);
  const hubKubeconfig = await readFile(lab.hub.kubeconfig, 'utf8');
  const prefix = `s${randomUUID().slice(0, 6)}`;
  const path = `/api/v1/clusters/${acme.organization.username}/hub`;
  let made = 0;
  const nameOf = (kind: string) => `${prefix}-${kind}-${(made += 1)}`;

  const importHub: HubWorld['importHub'] = async (owner, name, kubeconfig = hubKubeconfig) => {
    await registry.importCluster({
      owner, name, kubeconfig, uid: '', displayName: undefined, provider: undefined, hub: true,
    }, { ...specCall(), deadline: deadlineIn(30_000) });
  };

  const find: HubWorld['find'] = async (where) => {
    return await api.call('GET', where).catch((error: unknown) => {
      if (error instanceof ApiFault && error.status === 404) return undefined;
      throw error;
    }) as Record<string, unknown> | undefined;
  };

  const post: HubWorld['post'] = (where, json) =>
    acme.boss.http.post(path + where, { ...(json === undefined ? {} : { json }), within: 30_000 });

  await importHub(acme.organization.username, 'hub');
  return {
    world, acme, registry, api, hubKubeconfig, prefix, path, importHub, find, post,
    get: (where) => acme.boss.http.get(path + where, { within: 30_000 }),
    spokes: async (count, set = 'default') => {
      const names = Array.from({ length: count }, () => nameOf('spoke'));
      for (let start = 0; start < count; start += 20) {
        await Promise.all(names.slice(start, start + 20).map((name) => makeSpoke(api, name, uidOfSpoke(name), set)));
      }
      // Open Cluster Management makes a namespace for each cluster it accepts.
      for (const name of names) {
        const namespace = () => find(`/api/v1/namespaces/${name}`);
        await until(namespace, { within: 60_000, what: `the cluster ${name} has a namespace` });
      }
      return names;
    },
    set: async (...clusters) => {
      const name = nameOf('set');
      const { status, text } = await post('/clustersets/create', { clusterSet: name, clusters });
      if (status !== 200) throw new Error(`the set was refused: ${text}`);
      return name;
    },
    setOf: async (name) => {
      type Labelled = { metadata: { labels?: Record<string, string> } };
      const { metadata } = await api.call('GET', `${paths.clusters}/${name}`) as Labelled;
      return metadata.labels?.[setLabel];
    },
    [Symbol.asyncDispose]: async () => {
      api[Symbol.dispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** Makes a managed cluster that has joined, without an agent. */
export async function makeSpoke(api: Api, name: string, uid: string, set: string): Promise<void> {
  await api.create(paths.clusters, {
    apiVersion: 'cluster.open-cluster-management.io/v1', kind: 'ManagedCluster',
    metadata: { name, labels: { [setLabel]: set } },
    spec: {
      // Without an agent, no process renews the lease.
      hubAcceptsClient: true, leaseDurationSeconds: 86_400,
      managedClusterClientConfigs: [{ url: `https://${name}.example.org:6443` }],
    },
  });
  await api.call('PATCH', `${paths.clusters}/${name}/status`, {
    status: {
      conditions: [joined('True')],
      version: { kubernetes: 'v1.34.1' },
      clusterClaims: [{ name: 'id.k8s.io', value: uid }],
    },
  }, 'application/merge-patch+json');
}

/** The condition that shows whether a cluster has joined. */
export function joined(status: 'True' | 'False'): object {
  return {
    type: 'ManagedClusterJoined', status, reason: 'Joined', message: '', lastTransitionTime: '2026-01-01T00:00:00Z',
  };
}

/**
 * UID of a managed cluster that a spec made, derived from its whole name: specs share a hub, and number their spokes in
 * the same way.
 */
export function uidOfSpoke(name: string): string {
  return `00000000-0000-4000-8000-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}
