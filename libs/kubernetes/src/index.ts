/**
 * Calls to Kubernetes API servers. `parseKubeconfig` refuses a dangerous kubeconfig. `openCluster` can check the
 * address at each connection. Most failures are Faults, such as UNAVAILABLE, DEADLINE_EXCEEDED or BAD_UPSTREAM. Their
 * messages contain no credentials. After several calls without an answer, further calls are refused for a while. A
 * write throws Conflicted when it conflicts with another write. `withoutConflict` then repeats the read and the write.
 */
export { type ClusterConnection, type JudgedAddresses, openCluster } from './connection.ts';
export { installDefinitions } from './definitions.ts';
export { type ClusterDescription, describeCluster } from './describe-cluster.ts';
export { explainContact } from './explain-contact.ts';
export {
  availableCondition, clusterSetLabel, clusterUidClaim, defaultSet, globalSet, joinedCondition, type Kind,
  type KubernetesObject, type LabelSelector, type ManagedCluster, managedClusters, type ManagedClusterSet,
  type ManagedClusterSetBinding, managedClusterSetBindings, managedClusterSets, type ManifestConfig,
  type ManifestWork, manifestWorks, type ObjectMeta,
} from './kinds.ts';
export {
  type Chart, type Feature, features, type FeatureSet, featureSets, leadingFeature,
  type ManagedClusterProfileBinding, managedClusterProfileBindings, type ManagedClusterSetProfile,
  managedClusterSetProfiles, type WantedFeature,
} from './feature-kinds.ts';
export { type ClusterAccess, parseKubeconfig } from './kubeconfig.ts';
export {
  annotationPath, applyObject, Conflicted, createObject, deleteObject, fieldManager, findObject, hasNamespace,
  labelPath, listNamespaces, listObjects, type ObjectKey, patchObject, type PatchStep, replaceObject, withoutConflict,
} from './objects.ts';
export { openOwnNamespace, type OwnNamespace } from './own-namespace.ts';
export { readSecret, type SecretContent, writeSecret } from './secrets.ts';
export {
  findResource, type ObjectListener, type ObjectWatch, readResource, type Resource, watchObjects,
} from './watch-objects.ts';
export { readServingCertificate, type ServingCertificate } from './serving-certificate.ts';
