import { ClientOrganizationServiceService } from '@platform/proto/clusters/v1/client_organization';
import { ClusterAdminServiceService, ClusterServiceService } from '@platform/proto/clusters/v1/cluster';
import { ClusterSetServiceService } from '@platform/proto/clusters/v1/cluster_set';
import { FeatureSetServiceService } from '@platform/proto/clusters/v1/feature_set';
import { NamespaceBindingServiceService } from '@platform/proto/clusters/v1/namespace_binding';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { implement, type Implementation } from '@platform/rpc';
import { addClientCluster } from './client-organizations/add-client-cluster.ts';
import { createClientOrganization } from './client-organizations/create-client-organization.ts';
import { deleteClientOrganization } from './client-organizations/delete-client-organization.ts';
import { getClientClusterStatus, getClientOrganizationStatus } from './client-organizations/get-status.ts';
import { removeClientCluster } from './client-organizations/remove-client-cluster.ts';
import { listAvailableClusters, listAvailableClusterSets } from './cluster-sets/available.ts';
import { createClusterSet } from './cluster-sets/create-cluster-set.ts';
import { deleteClusterSet } from './cluster-sets/delete-cluster-set.ts';
import { getAuthInfo } from './cluster-sets/get-auth-info.ts';
import { listClusterSets, listClustersOfSet, listClustersToAdd } from './cluster-sets/list-cluster-sets.ts';
import { addClusters, removeClusters } from './cluster-sets/move-clusters-of-set.ts';
import {
  checkAutoUpdate, getFeaturesVersion, getSyncStatusOfAllFeatures, getSyncStatusOfFeature,
} from './feature-sets/get-sync-status.ts';
import { disableFeatureSet, installFeatureSet } from './feature-sets/install-feature-set.ts';
import { listFeatureSets } from './feature-sets/list-feature-sets.ts';
import { startAutoUpdate } from './feature-sets/start-auto-update.ts';
import { updateFeatureSet } from './feature-sets/update-feature-set.ts';
import { bindNamespace, unbindNamespace } from './namespace-bindings/bind-namespace.ts';
import { listBoundNamespaces } from './namespace-bindings/list-bound-namespaces.ts';
import type { Parts } from './parts.ts';
import { clusterOwnerMethods } from './registry/cluster-owner-methods.ts';
import { createCluster, importCluster, importClusterAsOperator } from './registry/import-cluster.ts';
import { getCluster, listClusters, listImportedClusters } from './registry/read-clusters.ts';
import { deleteCluster, removeCluster, removeClusterAsOperator } from './registry/remove-cluster.ts';
import { updateCluster } from './registry/update-cluster.ts';
import { rotateKeys } from './rotate-keys.ts';

export function methods(parts: Parts): readonly Implementation[] {
  return [
    implement(ClusterServiceService, {
      listImportedClusters: listImportedClusters(parts),
      getCluster: getCluster(parts),
      createCluster: createCluster(parts),
      updateCluster: updateCluster(parts),
      deleteCluster: deleteCluster(parts),
      importCluster: importCluster(parts),
      removeCluster: removeCluster(parts),
    }),
    implement(ClusterAdminServiceService, {
      importCluster: importClusterAsOperator(parts),
      listClusters: listClusters(parts),
      removeCluster: removeClusterAsOperator(parts),
      rotateKeys: rotateKeys(parts),
    }),
    implement(ClusterOwnerServiceService, clusterOwnerMethods(parts.database)),
    implement(ClientOrganizationServiceService, {
      getClientOrganizationStatus: getClientOrganizationStatus(parts),
      getClientClusterStatus: getClientClusterStatus(parts),
      createClientOrganization: createClientOrganization(parts),
      addClientCluster: addClientCluster(parts),
      removeClientCluster: removeClientCluster(parts),
      deleteClientOrganization: deleteClientOrganization(parts),
    }),
    implement(ClusterSetServiceService, {
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
    }),
    implement(FeatureSetServiceService, {
      listFeatureSets: listFeatureSets(parts),
      installFeatureSet: installFeatureSet(parts),
      disableFeatureSet: disableFeatureSet(parts),
      updateFeatureSet: updateFeatureSet(parts),
      getSyncStatusOfAllFeatures: getSyncStatusOfAllFeatures(parts),
      getFeaturesVersion: getFeaturesVersion(parts),
      getSyncStatusOfFeature: getSyncStatusOfFeature(parts),
      checkAutoUpdate: checkAutoUpdate(parts),
      startAutoUpdate: startAutoUpdate(parts),
    }),
    implement(NamespaceBindingServiceService, {
      listBoundNamespaces: listBoundNamespaces(parts),
      bindNamespace: bindNamespace(parts),
      unbindNamespace: unbindNamespace(parts),
    }),
  ];
}
