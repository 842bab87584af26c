import {
  availableCondition, clusterSetLabel, clusterUidClaim, defaultSet, joinedCondition, type LabelSelector,
  type ManagedCluster, type ManagedClusterSet,
} from '@platform/kubernetes';

type Labels = Readonly<Record<string, string>>;

/** Whether a set is exclusive: the set contains exactly the clusters whose label names the set. */
export function isExclusive({ spec }: ManagedClusterSet): boolean {
  return (spec?.clusterSelector?.selectorType ?? 'ExclusiveClusterSetLabel') === 'ExclusiveClusterSetLabel';
}

/** The name of the exclusive set that a cluster is in; empty if there is none. */
export function setOf({ metadata: { labels } }: ManagedCluster): string {
  return labels?.[clusterSetLabel] ?? '';
}

/**
 * Returns the clusters of a set, by the rules of Open Cluster Management. An exclusive set contains the clusters whose
 * label names the set. A set of the type `LabelSelector` contains the clusters that match its label selector. All other
 * sets are empty.
 */
export function clustersOf(set: ManagedClusterSet, clusters: readonly ManagedCluster[]): ManagedCluster[] {
  if (isExclusive(set)) return clusters.filter((cluster) => setOf(cluster) === set.metadata.name);
  const { selectorType, labelSelector } = set.spec?.clusterSelector ?? {};
  if (selectorType !== 'LabelSelector' || labelSelector === undefined) return [];
  return clusters.filter(({ metadata: { labels = {} } }) => matches(labelSelector, labels));
}

/** Whether labels match a selector, by the rules of Kubernetes: an empty selector matches everything. */
export function matches({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Labels): boolean {
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value)
    && matchExpressions.every(({ key, operator, values = [] }) => {
      const exists = Object.hasOwn(labels, key);
      const isIn = exists && values.includes(labels[key]!);
      const by: Readonly<Record<string, boolean>> = { In: isIn, NotIn: !isIn, Exists: exists, DoesNotExist: !exists };
      return Object.hasOwn(by, operator) && by[operator]!;
    });
}

/** Whether the hub has accepted a cluster, and the cluster has joined the hub. */
export function isAvailable({ spec, status }: ManagedCluster): boolean {
  const joined = status?.conditions?.some(({ type, status: holds }) => type === joinedCondition && holds === 'True');
  return spec?.hubAcceptsClient === true && joined === true;
}

export function answersNow({ status }: ManagedCluster): boolean {
  return status?.conditions?.some(({ type, status: it }) => type === availableCondition && it === 'True') ?? false;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The UUID that a managed cluster claims, in lower case. Empty if it claims no UUID. */
export function uidOf({ status }: ManagedCluster): string {
  const claimed = status?.clusterClaims?.find(({ name }) => name === clusterUidClaim)?.value?.toLowerCase() ?? '';
  return uuid.test(claimed) ? claimed : '';
}

/** Whether a set is eligible for client organizations (open-points 12.2). @param domain setting `labels.domain` */
export function isForClients(set: ManagedClusterSet, clusters: readonly ManagedCluster[], domain: string): boolean {
  const { name, labels } = set.metadata;
  return isExclusive(set) && name !== defaultSet && labels?.[`${domain}/client-org-eligible`] !== 'false'
    && clustersOf(set, clusters).length > 0;
}
