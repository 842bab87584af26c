import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Api, openApi, startLab } from '@platform/lab';
import { ClusterAdminServiceService } from '@platform/proto/clusters/v1/cluster';
import { deadlineIn } from '@platform/service';
import { rpcClient, until } from '@platform/testing';
import { specCall } from '../operator.ts';
import type { RunningPlatform } from '../platform.ts';
import { find, make, makeSpoke, merge, paths } from './hub-world.ts';

const managed = [
  ['eu-1', '1b671a64-40d5-491e-99b0-da01ff1f3341', 'production'],
  ['eu-2', '7c0e4b1d-2d57-4a47-8a0b-0f3c9d6a5e21', 'default'],
  ['us-1', '3c9d2d6e-0c54-4d52-8f1e-7f7a5a0c1b42', 'default'],
] as const;
const chart = { name: 'chart', version: 'v2', sourceRef: { name: 'charts' } };

/** A separate hub for a spec whose lists other specs must not change. */
export interface OwnHub extends AsyncDisposable {
  readonly uid: string;
  readonly api: Api;
  /** A spoke with an agent, if one was requested. */
  readonly spoke: { readonly name: string; readonly uid: string; readonly url: string } | undefined;
  importInto(platform: Pick<RunningPlatform, 'grpc' | 'serviceCredential'>, owner: string, name: string): Promise<void>;
}

/**
 * Starts a hub with objects of every kind: three clusters that have joined, the set `production` with the first of
 * them, two feature sets, the namespace `shop`; and, if requested, a spoke with an agent.
 */
export async function ownHub({ spokes = 0 }: { readonly spokes?: 0 | 1 } = {}): Promise<OwnHub> {
  const home = await mkdtemp(join(tmpdir(), 'platform-hub-'));
  const lab = await startLab({ home, spokes, environment: process.env, report: () => undefined });
  const kubeconfig = await readFile(lab.hub.kubeconfig, 'utf8');
  const api = await openApi(lab.hub.kubeconfig);
  let filled: Promise<void> | undefined;
  const [spoke] = lab.spokes;
  return {
    uid: lab.hub.uid, api, spoke: spoke && { name: spoke.name, uid: spoke.uid, url: await urlOf(spoke.kubeconfig) },
    importInto: async ({ grpc, serviceCredential }, owner, name) => {
      const registry = await rpcClient(ClusterAdminServiceService, grpc.clusters.split(','), { serviceCredential });
      await registry.importCluster({
        owner, name, kubeconfig, uid: '', hub: true, displayName: 'Hub', provider: 'metal',
      }, { ...specCall(), deadline: deadlineIn(30_000) });
      // The first import has installed the definitions.
      filled ??= fill(api);
      await filled;
    },
    [Symbol.asyncDispose]: async () => {
      api[Symbol.dispose]();
      await lab[Symbol.asyncDispose]();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function urlOf(kubeconfig: string): Promise<string> {
  type Kubeconfig = { readonly clusters: readonly [{ readonly cluster: { readonly server: string } }] };
  return (JSON.parse(await readFile(kubeconfig, 'utf8')) as Kubeconfig).clusters[0].cluster.server;
}

async function fill(api: Api): Promise<void> {
  await makeSet(api, 'production', 'Production');
  await api.create('/api/v1/namespaces', { metadata: { name: 'shop' } });
  for (const [name, uid, set] of managed) await makeSpoke(api, name, uid, set);
  await makeFeatureSet(api, 'opscenter-core', ['opscenter-features']);
  await makeFeature(api, 'opscenter-features', 'opscenter-core');
  await makeFeatureSet(api, 'opscenter-backup', []);
  await makeFeature(api, 'stash', 'opscenter-backup');
  const features = { 'opscenter-features': { featureSet: 'opscenter-core', chart: { ...chart, version: 'v1' } } };
  await make(api, paths.profiles, 'ManagedClusterSetProfile', 'production', { features });
  // Open Cluster Management makes a namespace for each cluster it accepts.
  const namespaces = () => Promise.all(managed.map(([name]) => api.call('GET', `/api/v1/namespaces/${name}`)));
  await until(namespaces, { within: 20_000, what: 'the clusters have namespaces' });
  const builtIn = () => Promise.all(['default', 'global'].map((name) => api.call('GET', `${paths.sets}/${name}`)));
  await until(builtIn, { within: 20_000, what: 'the hub has its own sets' });
  await carryOut(api, 'production', 'eu-1', 'v1');
}

export async function makeSet(api: Api, name: string, title = name): Promise<void> {
  const spec = { clusterSelector: { selectorType: 'ExclusiveClusterSetLabel' } };
  await make(api, paths.sets, 'ManagedClusterSet', name, spec, { annotations: { 'platform.dev/title': title } });
}

export async function makeFeatureSet(api: Api, name: string, requiredFeatures: readonly string[]): Promise<void> {
  await make(api, paths.featureSets, 'FeatureSet', name, {
    title: name, description: `Features of ${name}.`, recommended: true, requiredFeatures, chart,
  });
}

async function makeFeature(api: Api, name: string, featureSet: string): Promise<void> {
  await make(api, paths.features, 'Feature', name, {
    title: name, description: `Installs ${name}.`, featureSet, featureBlock: featureSet, chart,
  });
}

/** Binds a cluster to the profile of its set. */
export async function bindProfile(api: Api, set: string, cluster: string): Promise<void> {
  const clusterMetadata = { uid: '', name: cluster, clusterManagers: ['OCMSpoke'] };
  const spec = { profileRef: { name: set }, clusterMetadata };
  await make(api, paths.profileBindings(cluster), 'ManagedClusterProfileBinding', cluster, spec);
}

/** Does the work of the controllers on the hub. */
export async function carryOut(api: Api, set: string, cluster: string, version = ''): Promise<void> {
  await bindProfile(api, set, cluster);
  const path = `${paths.profileBindings(cluster)}/${cluster}`;
  const { metadata: { generation } } = (await find<{ metadata: { generation: number } }>(api, path))!;
  const status = { phase: 'Current', observedGeneration: generation, observedOpscenterFeaturesVersion: version };
  await merge(api, `${path}/status`, { status });
}
