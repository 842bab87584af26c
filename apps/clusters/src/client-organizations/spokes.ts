import { listObjects, type ManagedCluster, managedClusters, managedClusterSets } from '@platform/kubernetes';
import type { Deadline } from '@platform/service';
import { invalidValue } from '@platform/values';
import type { ImportedHub } from '../hubs/hubs.ts';
import { clustersOf, isAvailable } from '../hubs/selection.ts';
import type { Permission } from './requested-organization.ts';

export interface ChosenSpoke {
  readonly cluster: ManagedCluster;
  readonly permissions: readonly Permission[];
}

export interface SpokeIndex {
  /** Clusters that have joined, by name. */
  readonly clusters: ReadonlyMap<string, ManagedCluster>;
  readonly sets: ReadonlyMap<string, readonly ManagedCluster[]>;
}

export async function readSpokes(
  { connection }: Pick<ImportedHub, 'connection'>, deadline: Deadline,
): Promise<SpokeIndex> {
  const [all, sets] = await Promise.all([
    listObjects(connection, managedClusters, deadline), listObjects(connection, managedClusterSets, deadline),
  ]);
  const clusters = all.filter(isAvailable);
  return {
    clusters: new Map(clusters.map((cluster) => [cluster.metadata.name, cluster])),
    sets: new Map(sets.map((set) => [set.metadata.name, clustersOf(set, clusters)])),
  };
}

/** The spokes that permissions name, directly or by a set. @throws Fault INVALID_VALUE for unknown names */
export function chooseSpokes(index: SpokeIndex, permissions: readonly Permission[], hubName: string): ChosenSpoke[] {
  const problems: { path: string; message: string }[] = [];
  const chosen = new Map<string, { cluster: ManagedCluster; permissions: Permission[] }>();
  for (const [position, permission] of permissions.entries()) {
    const { name, isClusterSet } = permission;
    const one = index.clusters.get(name);
    const named = isClusterSet ? index.sets.get(name) : one && [one];
    const path = `userPermission.permissions[${position}].name`;
    if (named === undefined) {
      const kind = isClusterSet ? 'cluster set of the hub' : 'cluster that has joined the hub';
      problems.push({ path, message: `is not the name of a ${kind}` });
    }
    for (const cluster of named ?? []) {
      // Both clusters would be imported under the same name.
      if (cluster.metadata.name === hubName) {
        problems.push({ path, message: 'includes a cluster that has the name of the hub' });
      }
      const known = chosen.get(cluster.metadata.name);
      if (known === undefined) chosen.set(cluster.metadata.name, { cluster, permissions: [permission] });
      else known.permissions.push(permission);
    }
  }
  if (problems.length > 0) throw invalidValue(problems);
  return [...chosen.values()];
}
