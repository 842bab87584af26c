import { notFound } from '@platform/faults';
import type { RegisteredCluster } from '@platform/proto/clusters/v1/cluster';
import type { ClusterInfo } from '@platform/proto/clusters/v1/cluster_info';
import { type Observed, refuseOtherRevision } from '@platform/rpc';
import { clusterPhase } from '@platform/values';
import type { ClusterRow } from './store.ts';

/** A cluster of the registry, without its kubeconfig. @param owner name of the account that owns the cluster */
export function toRegisteredCluster(row: ClusterRow, owner: string): RegisteredCluster {
  const { ownerId: _, createdAt: _created, lastContactAt, ...shown } = row;
  return { ...shown, owner, phase: clusterPhase(lastContactAt, new Date()) };
}

/**
 * A cluster as the REST API shows it (open-points 8.2, 18.6).
 * @param ownerName name of the account that owns the cluster
 */
export function toClusterInfo(cluster: ClusterRow, ownerName: string): ClusterInfo {
  const { hub: _, createdAt, lastContactAt, ...row } = cluster;
  return {
    ...row, ownerName, createdAt: `${createdAt.toISOString().slice(0, 19)}Z`,
    status: { phase: clusterPhase(lastContactAt, new Date()) },
  };
}

/** The fields of ClusterInfo with `(controlplane.field).observed`. */
const observed: Observed = { kubernetesVersion: true, nodeCount: true, status: true };

/**
 * Checks that a cluster exists and, with `ifMatch`, that it has this revision (open-points 18.8). Returns its row.
 * @throws Fault NOT_FOUND, PRECONDITION_FAILED
 */
export function expectedCluster(row: ClusterRow | undefined, ifMatch: string | undefined, owner: string): ClusterRow {
  if (row === undefined) throw notFound('cluster not found');
  refuseOtherRevision(ifMatch, toClusterInfo(row, owner), observed);
  return row;
}
