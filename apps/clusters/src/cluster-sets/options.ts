import { defaultSet, globalSet } from '@platform/kubernetes';
import type { ClusterSetOptions } from '@platform/proto/clusters/v1/cluster_set';
import { dnsLabelProblem, refuseTooMany, Violations } from '@platform/values';

export interface NamedClusters {
  readonly set: string;
  /** Names of clusters, without duplicates. */
  readonly clusters: readonly string[];
}

/** Checks the body of a request to create a cluster set. @throws Fault VALIDATION_FAILED, TOO_MANY_ITEMS */
export function setToCreate(options: ClusterSetOptions | undefined): NamedClusters {
  const { clusterSet: set = '', clusters = [] } = options ?? {};
  const violations = new Violations();
  const builtIn = set === defaultSet || set === globalSet;
  violations.note('clusterSet', builtIn ? 'is the name of a set that every hub has' : dnsLabelProblem(set));
  return named(set, clusters, violations);
}

/** Checks the body of `add` and `remove`. @throws Fault VALIDATION_FAILED, TOO_MANY_ITEMS */
export function clustersToMove(options: ClusterSetOptions | undefined): NamedClusters {
  const { clusterSet: set = '', clusters = [] } = options ?? {};
  const violations = new Violations();
  if (set === '') violations.note('clusterSet', 'must not be empty');
  if (clusters.length === 0) violations.note('clusters', 'must not be empty');
  return named(set, clusters, violations);
}

/** Checks the names and their number, then removes duplicates (open-points 12.5). */
function named(set: string, clusters: readonly string[], violations: Violations): NamedClusters {
  for (const [index, name] of clusters.entries()) {
    if (name === '') violations.note(`clusters[${index}]`, 'must not be empty');
  }
  violations.refuse();
  refuseTooMany('clusters', clusters);
  return { set, clusters: [...new Set(clusters)] };
}
