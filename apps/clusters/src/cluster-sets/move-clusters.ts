import {
  clusterSetLabel, defaultSet, deleteObject, findObject, labelPath, listObjects, type ManagedCluster,
  managedClusterProfileBindings, managedClusters, managedClusterSets, patchObject, type PatchStep, withoutConflict,
} from '@platform/kubernetes';
import { createLimiter, type Deadline } from '@platform/service';
import type { Hub } from '../hubs/hubs.ts';
import { isExclusive, setOf } from '../hubs/selection.ts';
import { isGoing, readMembers, setNotFound } from './sets.ts';

/** How many clusters are moved concurrently: the size of the connection pool of a hub. */
const atOnce = 8;

/**
 * Moves clusters into an exclusive set. If the set is deleted meanwhile, the clusters go to `default`.
 * @throws Fault NOT_FOUND when the set is deleted meanwhile, CONFLICT
 */
export async function moveInto(
  hub: Hub, set: string, clusters: readonly ManagedCluster[], deadline: Deadline,
): Promise<void> {
  await forEach(clusters, deadline, (cluster) => moveWhile(hub, cluster, (now) => now !== set, set, deadline));
  const still = await findObject(hub.connection, managedClusterSets, { name: set }, deadline);
  if (still === undefined || isGoing(still)) {
    await moveOut(hub, set, await readMembers(hub, set, deadline), deadline);
    throw setNotFound();
  }
  await withoutConflict(() => removeStaleBindings(hub, clusters, deadline));
}

/**
 * Moves the given clusters from the set to `default`. Skips clusters that are in another set. Then deletes stale
 * profile bindings of the given clusters.
 * @throws Fault CONFLICT
 */
export async function moveOut(
  hub: Hub, set: string, clusters: readonly ManagedCluster[], deadline: Deadline,
): Promise<void> {
  await forEach(clusters, deadline, (cluster) => moveWhile(hub, cluster, (now) => now === set, defaultSet, deadline));
  await withoutConflict(() => removeStaleBindings(hub, clusters, deadline));
}

/**
 * Moves one cluster if `from` accepts the current set of the cluster. Retries if another call moves the cluster at the
 * same time. For a cluster without a set, retries after any concurrent change of the cluster.
 * @param known the cluster as it was listed; a retry reads the cluster again
 * @throws Fault CONFLICT
 */
async function moveWhile(
  { connection }: Hub, known: ManagedCluster, from: (set: string) => boolean, into: string, deadline: Deadline,
): Promise<void> {
  const { name } = known.metadata;
  let listed: ManagedCluster | undefined = known;
  await withoutConflict(async () => {
    const cluster = listed ?? await findObject(connection, managedClusters, { name }, deadline);
    listed = undefined;
    if (cluster === undefined || !from(setOf(cluster)) || setOf(cluster) === into) return;
    await patchObject(connection, managedClusters, { name }, stepsInto(cluster, into), deadline);
  });
}

/**
 * The patch that moves a cluster into a set. The patch fails if the cluster was replaced or moved meanwhile. If the
 * cluster has no set yet, the patch fails after any change of the cluster.
 */
function stepsInto(cluster: ManagedCluster, into: string): PatchStep[] {
  const { uid, labels, resourceVersion } = cluster.metadata;
  const path = labelPath(clusterSetLabel);
  const set = setOf(cluster);
  return [
    { op: 'test', path: '/metadata/uid', value: uid },
    // JSON Patch cannot test that a label is absent. So test that the object has not changed at all.
    set === ''
      ? { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion }
      : { op: 'test', path, value: set },
    ...(labels === undefined ? [{ op: 'add', path: '/metadata/labels', value: {} } as const] : []),
    { op: 'add', path, value: into },
  ];
}

/** Deletes profile bindings of clusters that have left the exclusive set of the profile. May be repeated. */
async function removeStaleBindings({ connection }: Hub, clusters: readonly ManagedCluster[], deadline: Deadline) {
  const moved = new Set(clusters.map(({ metadata }) => metadata.name));
  const bindings = await listObjects(connection, managedClusterProfileBindings, deadline);
  const candidates = bindings.filter(({ metadata }) => moved.has(metadata.namespace ?? ''));
  if (candidates.length === 0) return;
  const [now, sets] = await Promise.all([
    listObjects(connection, managedClusters, deadline), listObjects(connection, managedClusterSets, deadline),
  ]);
  const setNow = new Map(now.map((cluster) => [cluster.metadata.name, setOf(cluster)]));
  const byLabels = new Set(sets.filter((set) => !isExclusive(set)).map(({ metadata }) => metadata.name));
  const stale = candidates.filter(({ metadata, spec }) =>
    !byLabels.has(spec.profileRef.name) && setNow.get(metadata.namespace!) !== spec.profileRef.name);
  await forEach(stale, deadline, (binding) =>
    deleteObject(connection, managedClusterProfileBindings, binding, deadline));
}

async function forEach<Item>(items: readonly Item[], deadline: Deadline, act: (item: Item) => Promise<void>) {
  const limiter = createLimiter(atOnce, 'a connection to the hub');
  await Promise.all(items.map((item) => limiter.run(deadline, () => act(item))));
}
