import { ApiException, CoreV1Api, CustomObjectsApi, VersionApi } from '@kubernetes/client-node';
import { Fault } from '@platform/faults';
import type { Deadline } from '@platform/service';
import type { ClusterConnection } from './connection.ts';
import { managedClusters } from './kinds.ts';
import { unlessMissing } from './translate-failure.ts';

export interface ClusterDescription {
  /** UID of the namespace `kube-system`, in lower case. */
  readonly uid: string;
  /** Version of the API server, such as `v1.32.2`. */
  readonly version: string;
  readonly nodeCount: number;
  /** Whether the cluster is a hub of Open Cluster Management. Only a hub serves ManagedClusters. */
  readonly hub: boolean;
}

const mostNodes = 1_000_000;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws Fault UNAVAILABLE, DEADLINE_EXCEEDED, BAD_UPSTREAM, BODY_TOO_LARGE */
export async function describeCluster(cluster: ClusterConnection, deadline: Deadline): Promise<ClusterDescription> {
  const [namespace, version, nodeCount, hub] = await Promise.all([
    cluster.call(CoreV1Api, (core) => core.readNamespace({ name: 'kube-system' }), deadline).catch(refuseMissing),
    cluster.call(VersionApi, (api) => api.getCode(), deadline).catch(refuseMissing),
    countNodes(cluster, deadline),
    isHub(cluster, deadline),
  ]);
  // Users choose the server, so its answers are not trusted.
  const uid = String(namespace?.metadata?.uid).toLowerCase();
  const isVersion = typeof version?.gitVersion === 'string' && /^.{1,100}$/.test(version.gitVersion);
  if (!uuid.test(uid) || !isVersion || !(nodeCount >= 0 && nodeCount <= mostNodes)) {
    throw new Fault('BAD_UPSTREAM', 'the cluster does not answer as a Kubernetes API server');
  }
  return { uid, version: version.gitVersion, nodeCount, hub };
}

/**
 * Counts the nodes. Returns NaN if the answer is not a list. One page is enough, because the server reports the number
 * of remaining items.
 */
async function countNodes(cluster: ClusterConnection, deadline: Deadline): Promise<number> {
  const list = await cluster.call(CoreV1Api, (core) => core.listNode({ limit: 500 }), deadline)
    .catch(refuseMissing);
  if (!Array.isArray(list?.items)) return Number.NaN;
  return list.items.length + Number(list.metadata?.remainingItemCount ?? 0);
}

/**
 * Whether the cluster serves the kind ManagedCluster. Only a hub serves it. A spoke serves other kinds of the same API
 * group.
 */
async function isHub(cluster: ClusterConnection, deadline: Deadline): Promise<boolean> {
  const { group, version, plural } = managedClusters;
  const served = await cluster.call(CustomObjectsApi, (api) => api.getAPIResources({ group, version }), deadline)
    .catch(unlessMissing);
  return served?.resources?.some((one) => one?.name === plural) ?? false;
}

function refuseMissing(error: unknown): never {
  if (!(error instanceof ApiException)) throw error;
  throw new Fault('BAD_UPSTREAM', 'the cluster does not answer as a Kubernetes API server');
}
