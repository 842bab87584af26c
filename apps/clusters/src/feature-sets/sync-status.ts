import { isDeepStrictEqual } from 'node:util';
import { leadingFeature, type ManagedClusterProfileBinding } from '@platform/kubernetes';
import { type Catalogue, setOf, type Wanted } from './rules.ts';

export interface BoundCluster {
  readonly name: string;
  readonly binding: ManagedClusterProfileBinding | undefined;
}

/** Names of the clusters in each state, in the given order of the clusters. */
interface FeatureStatus {
  readonly insyncClusters: string[];
  readonly outOfSyncClusters: string[];
  readonly unalignedClusters: string[];
}

/**
 * The status of one feature on each cluster of a set (open-points 12.3, 12.5). A cluster is unaligned if its binding
 * has an entry for the feature, but the profile has no equal entry. An unaligned cluster is also out of sync. Any other
 * cluster is in sync if its binding is current, or if the profile does not want the feature.
 */
export function statusOfFeature(feature: string, wanted: Wanted, clusters: readonly BoundCluster[]): FeatureStatus {
  const status: FeatureStatus = { insyncClusters: [], outOfSyncClusters: [], unalignedClusters: [] };
  const inProfile = wanted[feature];
  for (const { name, binding } of clusters) {
    const own = binding?.spec.features?.[feature];
    const unaligned = own !== undefined && !isDeepStrictEqual(own, inProfile);
    const inSync = !unaligned && (inProfile === undefined || isCurrent(binding));
    (inSync ? status.insyncClusters : status.outOfSyncClusters).push(name);
    if (unaligned) status.unalignedClusters.push(name);
  }
  return status;
}

/**
 * The status of each feature in the profile or in a binding. The outer key is the feature set, the inner key the
 * feature.
 */
export function statusOfAll(
  catalogue: Catalogue, wanted: Wanted, clusters: readonly BoundCluster[],
): Record<string, Record<string, FeatureStatus>> {
  const entries = new Map(clusters.flatMap(({ binding }) => Object.entries(binding?.spec.features ?? {})));
  for (const [name, entry] of Object.entries(wanted)) entries.set(name, entry);
  const all: Record<string, Record<string, FeatureStatus>> = {};
  for (const [name, entry] of entries) {
    (all[setOf(catalogue, name, entry)] ??= {})[name] = statusOfFeature(name, wanted, clusters);
  }
  return all;
}

function isCurrent(binding: ManagedClusterProfileBinding | undefined): boolean {
  const { phase, observedGeneration } = binding?.status ?? {};
  return phase === 'Current' && observedGeneration === binding?.metadata.generation;
}

/** The chart version of the leading feature in a profile; empty if the profile has none. */
export function versionOf(wanted: Wanted): string {
  return wanted[leadingFeature]?.chart?.version ?? '';
}

/** The version that the status of the binding reports, otherwise the version in its spec; empty if neither is set. */
export function versionAt({ binding }: BoundCluster): string {
  return binding?.status?.observedOpscenterFeaturesVersion || binding?.spec.opscenterFeaturesVersion || '';
}

/**
 * Whether each cluster has the wanted version (open-points 12.3). True if there are no clusters. An unknown version
 * matches no version.
 */
export function canUpdate(wanted: Wanted, clusters: readonly BoundCluster[]): boolean {
  const version = versionOf(wanted);
  return clusters.every((cluster) => version !== '' && versionAt(cluster) === version);
}
