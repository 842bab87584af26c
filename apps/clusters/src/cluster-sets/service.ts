import { ClusterSetServiceService } from '@platform/proto/clusters/v1/cluster_set';
import { implement, type Implementation } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { createClusterSet } from './create-cluster-set.ts';
import { deleteClusterSet } from './delete-cluster-set.ts';
import { getAuthInfo } from './get-auth-info.ts';
import { listAvailableClusterSets } from './list-available-cluster-sets.ts';
import { listAvailableClusters } from './list-available-clusters.ts';
import { listClusterSets } from './list-cluster-sets.ts';
import { listClustersOfSet, listClustersToAdd } from './list-clusters-of-set.ts';
import { addClusters, removeClusters } from './move-clusters-of-set.ts';

export function clusterSetService(parts: Parts): Implementation {
  return implement(ClusterSetServiceService, {
    listClusterSets: listClusterSets(parts),
    listAvailableClusters: listAvailableClusters(parts),
    listAvailableClusterSets: listAvailableClusterSets(parts),
    createClusterSet: createClusterSet(parts),
    deleteClusterSet: deleteClusterSet(parts),
    addClusters: addClusters(parts),
    removeClusters: removeClusters(parts),
    listClustersOfSet: listClustersOfSet(parts),
    listClustersToAdd: listClustersToAdd(parts),
    getAuthInfo: getAuthInfo(parts),
  });
}
