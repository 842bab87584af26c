const group = '/apis/cluster.open-cluster-management.io';

/** Paths of lists of a hub. */
export const paths = { clusters: `${group}/v1/managedclusters`, sets: `${group}/v1beta2/managedclustersets` } as const;
