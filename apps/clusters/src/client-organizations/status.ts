import type { ClusterState } from './cluster-store.ts';
import type { StatesRow } from './store.ts';

/** Status of a client organization, or of one cluster of it (open-points 4.3). */
type Status = 'Active' | 'Deleting' | 'Partially Deleted' | 'Deleted' | 'NotFound';

const ofState: Readonly<Record<ClusterState, Status>> = { active: 'Active', deleting: 'Deleting', deleted: 'Deleted' };

export function statusOf(client: StatesRow | undefined): Status {
  if (client === undefined || client.state === 'creating') return 'NotFound';
  if (client.state === 'active' || client.state === 'deleted') return ofState[client.state];
  const some = client.clusters.some(({ state, counts }) => counts && state === 'deleted');
  const all = client.clusters.every(({ state }) => state === 'deleted');
  return some && !all ? 'Partially Deleted' : 'Deleting';
}

export function statusOfCluster(client: StatesRow | undefined, name: string): Status {
  const cluster = client?.clusters.find((one) => one.name === name);
  return cluster === undefined ? 'NotFound' : ofState[cluster.state];
}
