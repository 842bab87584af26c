import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Api, ApiFault, openApi } from '@platform/lab';
import { ClusterAdminServiceService, type RegisteredCluster } from '@platform/proto/clusters/v1/cluster';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
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
  works: (spoke: string) => `/apis/work.open-cluster-management.io/v1/namespaces/${spoke}/manifestworks`,
} as const;

export const setLabel = 'cluster.open-cluster-management.io/clusterset';

export const clusterHosts: readonly Host[] = [...organizationHosts, 'contracts-licensing', 'clusters'];

/** A platform with an organization that has imported the hub of the lab. Other specs share the hub. */
export interface HubWorld extends AsyncDisposable {
  readonly world: World;
  readonly acme: PeopledOrganization;
  readonly registry: RpcClient<typeof ClusterAdminServiceService>;
  readonly lab: Awaited<ReturnType<typeof testLab>>;
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
  /** Imports a cluster without a kubeconfig under an account, usually with {@link uidOfSpoke}. */
  importNamed(
    owner: string, name: string, more?: { uid?: string; displayName?: string; provider?: string },
  ): Promise<void>;
  /** What the registry knows of the clusters of an account. */
  listed(owner: string): Promise<readonly RegisteredCluster[]>;
  /** Moves the one cluster of an account to another account. */
  moveCluster(owner: string, ownerId: number): Promise<void>;
  /** Makes managed clusters that have joined, without an agent; in the set `default` unless another set is given. */
  spokes(count: number, set?: string): Promise<string[]>;
  /** A new cluster set with these clusters, made by the platform. */
  set(...clusters: string[]): Promise<string>;
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
  const owners = await rpcClient(ClusterOwnerServiceService, grpc.clusters.split(','), { serviceCredential });
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
  const listed: HubWorld['listed'] = async (owner) =>
    (await registry.listClusters({ owner, page: 0, limit: 0, after: undefined }, specCall())).clusters;
  const post: HubWorld['post'] = (where, json) =>
    acme.boss.http.post(path + where, { ...(json === undefined ? {} : { json }), within: 30_000 });
  await importHub(acme.organization.username, 'hub');
  return {
    world, acme, registry, lab, api, hubKubeconfig, prefix, path, importHub, listed, post,
    importNamed: async (owner, name, more) => {
      const given = { owner, name, uid: uidOfSpoke(name), kubeconfig: '', displayName: undefined, provider: undefined };
      await registry.importCluster({ ...given, hub: false, ...more }, specCall());
    },
    moveCluster: async (owner, ownerId) => {
      const [moved] = await listed(owner);
      await owners.moveCluster({ id: moved!.id, ownerId }, specCall());
    },
    find: (where) => find(api, where),
    get: (where) => acme.boss.http.get(path + where, { within: 30_000 }),
    spokes: async (count, set = 'default') => {
      const names = Array.from({ length: count }, () => nameOf('spoke'));
      for (let start = 0; start < count; start += 20) {
        await Promise.all(names.slice(start, start + 20).map((name) => makeSpoke(api, name, uidOfSpoke(name), set)));
      }
      // Open Cluster Management makes a namespace for each cluster it accepts.
      for (const name of names) {
        const namespace = () => find(api, `/api/v1/namespaces/${name}`);
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
      return (await api.call('GET', `${paths.clusters}/${name}`) as Labelled).metadata.labels?.[setLabel];
    },
    [Symbol.asyncDispose]: async () => {
      api[Symbol.dispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** Makes a managed cluster that has joined, without an agent. */
export async function makeSpoke(api: Api, name: string, uid: string, set: string): Promise<void> {
  await make(api, paths.clusters, 'ManagedCluster', name, {
    // Without an agent, no process renews the lease.
    hubAcceptsClient: true, leaseDurationSeconds: 86_400,
    managedClusterClientConfigs: [{ url: `https://${name}.example.org:6443` }],
  }, { labels: { [setLabel]: set } });
  const claims = { version: { kubernetes: 'v1.34.1' }, clusterClaims: [{ name: 'id.k8s.io', value: uid }] };
  await merge(api, `${paths.clusters}/${name}/status`, { status: { conditions: [joined('True')], ...claims } });
}

/** Creates an object of a kind that a definition has added to the hub. The path names its API version. */
export async function make(api: Api, path: string, kind: string, name: string, spec: object, metadata: object = {}) {
  const [, , group, version] = path.split('/');
  await api.create(path, { apiVersion: `${group}/${version}`, kind, metadata: { name, ...metadata }, spec });
}

/** Changes fields of an object. */
export async function merge(api: Api, path: string, fields: object): Promise<void> {
  await api.call('PATCH', path, fields, 'application/merge-patch+json');
}

/** Undefined if the object does not exist. */
export async function find<Found = Record<string, unknown>>(api: Api, path: string): Promise<Found | undefined> {
  return await api.call('GET', path).catch((error: unknown) => {
    if (error instanceof ApiFault && error.status === 404) return undefined;
    throw error;
  }) as Found | undefined;
}

/** The condition that shows whether a cluster has joined. */
export const joined = (status: 'True' | 'False') => ({
  type: 'ManagedClusterJoined', status, reason: 'Joined', message: '', lastTransitionTime: '2026-01-01T00:00:00Z',
});

/**
 * UID of a managed cluster that a spec made, derived from its whole name: specs share a hub, and number their spokes in
 * the same way.
 */
export const uidOfSpoke = (name: string) =>
  `00000000-0000-4000-8000-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
