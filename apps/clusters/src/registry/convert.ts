import type { RegisteredCluster } from '@platform/proto/clusters/v1/cluster';
import { clusterPhase } from '@platform/values';
import type { ClusterRow } from './store.ts';

/** A cluster as the registry shows it; the kubeconfig is never shown. @param owner name of the account */
export function toRegisteredCluster({ ownerId: _, lastContactAt, ...row }: ClusterRow, owner: string): RegisteredCluster {
  return { ...row, owner, phase: clusterPhase(lastContactAt, new Date()) };
}
