import type { StatesRow } from './status-store.ts';
import type { ClusterState } from './cluster-store.ts';

/** Status of a client organization, or of one cluster of it (open-points 4.3). */
export type Status = 'Active' | 'Deleting' | 'Partially Deleted' | 'Deleted' | 'NotFound';

const ofCluster: Readonly<Record<ClusterState, Status>> = {
  active: 'Active', deleting: 'Deleting', deleted: 'Deleted',
};

export function statusOf(client: StatesRow | undefined): Status {
  switch (client?.state) {
    case undefined:
    case 'creating':
      return 'NotFound';
    case 'active':
      return 'Active';
    case 'deleted':
      return 'Deleted';
    default: {
      const some = client!.clusters.some(({ state, counts }) => counts && state === 'deleted');
      const all = client!.clusters.every(({ state }) => state === 'deleted');
      return some && !all ? 'Partially Deleted' : 'Deleting';
    }
  }
}

export function statusOfCluster(client: StatesRow | undefined, name: string): Status {
  const cluster = client?.clusters.find((one) => one.name === name);
  return cluster === undefined ? 'NotFound' : ofCluster[cluster.state];
}
