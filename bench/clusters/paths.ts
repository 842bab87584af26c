const group = '/apis/cluster.open-cluster-management.io';

/** Paths of the lists of managed clusters and cluster sets in the API of a hub. */
export const paths = { clusters: `${group}/v1/managedclusters`, sets: `${group}/v1beta2/managedclustersets` } as const;
