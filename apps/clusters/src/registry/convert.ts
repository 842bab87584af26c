import type { RegisteredCluster } from '@platform/proto/clusters/v1/cluster';
import { clusterPhase } from '@platform/values';
import type { ClusterRow } from './store.ts';

/** A cluster as the registry shows it; the kubeconfig is never shown. @param owner name of the account */
export function toRegisteredCluster(row: ClusterRow, owner: string): RegisteredCluster {
  const { ownerId: _, lastContactAt, ...shown } = row;
  return { ...shown, owner, phase: clusterPhase(lastContactAt, new Date()) };
}
