import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Api, ApiFault } from './api.ts';
import { type ClusterFolder, kubeconfig, writeSecret } from './cluster-folder.ts';
import { agentNamespace, hubNamespace } from './plans.ts';

const run = promisify(execFile);

const definitionsMs = 10_000;
const rbac = 'rbac.authorization.k8s.io';
/** Lifetime of the bootstrap token, in seconds: a year. */
const bootstrapSeconds = 31_536_000;

/** Creates the CustomResourceDefinitions that Open Cluster Management needs on a hub or on a spoke. */
export async function installDefinitions(binary: string, api: Api, side: 'hub' | 'spoke'): Promise<void> {
  const { stdout } = await run(binary, ['crds', side], { timeout: definitionsMs, maxBuffer: 64 * 1024 * 1024 });
  const documents = stdout.split(/^---$/m).filter((text) => text.trim() !== '');
  await Promise.all(documents.map((yaml) =>
    api.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { yaml })));
}

/** Returns the UID of the namespace `kube-system`, which identifies a cluster. */
export async function uidOf(api: Api): Promise<string> {
  const { metadata } = await api.call('GET', '/api/v1/namespaces/kube-system') as { metadata: { uid: string } };
  return metadata.uid;
}

/**
 * Creates, on a hub, the namespace of OCM's controller and a service account with which spokes join.
 * @returns the path of a kubeconfig of the service account
 */
export async function prepareHub(api: Api, hub: ClusterFolder, port: number): Promise<string> {
  await createNamespace(api, hubNamespace);
  const inNamespace = `/api/v1/namespaces/${hubNamespace}`;
  await api.create(`${inNamespace}/serviceaccounts`, { metadata: { name: 'bootstrap' } });
  await api.create(`/apis/${rbac}/v1/clusterroles`, {
    metadata: { name: 'lab-bootstrap' },
    rules: [
      rule('', ['configmaps'], ['get']),
      rule('certificates.k8s.io', ['certificatesigningrequests'], ['create', 'get', 'list', 'watch']),
      rule('cluster.open-cluster-management.io', ['managedclusters'], ['get', 'create', 'list', 'watch']),
      rule('cluster.open-cluster-management.io', ['managedclustersets/join'], ['create']),
    ],
  });
  await api.create(`/apis/${rbac}/v1/clusterrolebindings`, {
    metadata: { name: 'lab-bootstrap' },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'lab-bootstrap' },
    subjects: [{ kind: 'ServiceAccount', name: 'bootstrap', namespace: hubNamespace }],
  });
  const asked = { spec: { expirationSeconds: bootstrapSeconds } };
  const { status } = await api.call('POST', `${inNamespace}/serviceaccounts/bootstrap/token`, asked) as
    { status: { token: string } };
  const file = join(hub.folder, 'bootstrap.kubeconfig');
  const ca = (await readFile(hub.file('ca.crt'))).toString('base64');
  await writeSecret(file, kubeconfig('hub', port, ca, { token: status.token }));
  return file;
}

function rule(apiGroup: string, resources: readonly string[], verbs: readonly string[]): object {
  return { apiGroups: [apiGroup], resources, verbs };
}

/** Creates, on a spoke, the namespace of OCM's agent and a ClusterClaim with the UID of the spoke. */
export async function prepareSpoke(api: Api, spoke: ClusterFolder, uid: string): Promise<void> {
  await mkdir(spoke.file('hub'), { recursive: true, mode: 0o700 });
  await createNamespace(api, agentNamespace);
  await untilServed(() => api.create('/apis/cluster.open-cluster-management.io/v1alpha1/clusterclaims', {
    apiVersion: 'cluster.open-cluster-management.io/v1alpha1',
    kind: 'ClusterClaim',
    metadata: { name: 'id.k8s.io' },
    spec: { value: uid },
  }));
}

const group = '/apis/cluster.open-cluster-management.io/v1';
const managedClusters = `${group}/managedclusters`;

/** Returns whether a hub serves ManagedClusters. A hub does not serve a new CustomResourceDefinition at once. */
export async function isHub(hub: Api): Promise<boolean> {
  const served = await unlessMissing(hub.call('GET', group)) as { resources: { name: string }[] } | undefined;
  return served?.resources.some(({ name }) => name === 'managedclusters') ?? false;
}

interface ManagedCluster {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/**
 * Returns whether a spoke has joined and is available. Adds a joined spoke without a set to the set `default`, because
 * the lab runs no webhook of OCM that does this.
 */
export async function isAvailable(hub: Api, name: string): Promise<boolean> {
  const path = `${managedClusters}/${name}`;
  const cluster = await unlessMissing(hub.call('GET', path)) as ManagedCluster | undefined;
  const holds = (type: string): boolean =>
    cluster?.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
  if (!holds('ManagedClusterJoined')) return false;
  const label = 'cluster.open-cluster-management.io/clusterset';
  if (cluster?.metadata.labels?.[label] === undefined) {
    await hub.call('PATCH', path, { metadata: { labels: { [label]: 'default' } } }, 'application/merge-patch+json');
  }
  return holds('ManagedClusterConditionAvailable');
}

async function unlessMissing(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch((error: unknown) => {
    if (error instanceof ApiFault && error.status === 404) return undefined;
    throw error;
  });
}

async function createNamespace(api: Api, name: string): Promise<void> {
  await api.create('/api/v1/namespaces', { metadata: { name } });
}

/**
 * Calls `create` again while it fails with status 404, at most 100 times in total. A server does not serve a new
 * CustomResourceDefinition at once.
 */
async function untilServed(create: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await create();
    } catch (error) {
      if (!(error instanceof ApiFault) || error.status !== 404 || attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
