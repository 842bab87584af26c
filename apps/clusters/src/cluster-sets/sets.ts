import { notFound } from '@platform/faults';
import {
  findObject, listObjects, type ManagedCluster, managedClusters, type ManagedClusterSet, managedClusterSets,
} from '@platform/kubernetes';
import type { Deadline } from '@platform/service';
import { invalidValue } from '@platform/values';
import type { Hub } from '../hubs/hubs.ts';
import { setOf } from '../hubs/selection.ts';

/** A set of a hub. A set that is being deleted counts as missing. @throws Fault NOT_FOUND */
export async function readSet({ connection }: Hub, name: string, deadline: Deadline): Promise<ManagedClusterSet> {
  const set = await findObject(connection, managedClusterSets, { name }, deadline);
  if (set === undefined || isGoing(set)) throw setNotFound();
  return set;
}

export async function readSets({ connection }: Hub, deadline: Deadline): Promise<ManagedClusterSet[]> {
  return (await listObjects(connection, managedClusterSets, deadline)).filter((set) => !isGoing(set));
}

export function readClusters({ connection }: Hub, deadline: Deadline): Promise<ManagedCluster[]> {
  return listObjects(connection, managedClusters, deadline);
}

/**
 * The clusters with the label of an exclusive set. Reads all clusters, because the name of a set may be too long for a
 * label selector.
 */
export async function readMembers(hub: Hub, set: string, deadline: Deadline): Promise<ManagedCluster[]> {
  return (await readClusters(hub, deadline)).filter((cluster) => setOf(cluster) === set);
}

export function isGoing({ metadata: { deletionTimestamp } }: ManagedClusterSet): boolean {
  return deletionTimestamp !== undefined;
}

/** @throws Fault INVALID_VALUE with the names that are not clusters of the hub */
export function clustersNamed(all: readonly ManagedCluster[], names: readonly string[]): ManagedCluster[] {
  const byName = new Map(all.map((cluster) => [cluster.metadata.name, cluster]));
  const unknown = names.filter((name) => !byName.has(name));
  const message = (name: string) => `contains ${name}, which is not a cluster of the hub`;
  if (unknown.length > 0) throw invalidValue(unknown.map((name) => ({ path: 'clusters', message: message(name) })));
  return names.map((name) => byName.get(name)!);
}

export function setNotFound() {
  return notFound('cluster set not found');
}
