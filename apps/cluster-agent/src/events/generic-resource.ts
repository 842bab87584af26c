import type { Described } from '../inventory/inventory.ts';
import type { Namespace } from '../inventory/read-objects.ts';
import { totalOf } from './totals.ts';

/** What is the same for all objects of a cluster. */
export interface ClusterFacts {
  readonly uid: string;
  /** Annotation of `kube-system` (open-points 7.3); undefined: not set. */
  readonly mode: string | undefined;
  /** Setting `labels.domain`. */
  readonly domain: string;
}

/** So many pods and volumes are named; a message has at most 1 MiB. */
const mostParts = 1_000;

/** What billing reads of an object (open-points 13.2, 13.5). */
export function genericResource(described: Described, { uid: clusterUid, mode, domain }: ClusterFacts): object {
  const { workload, pods, claims, namespace } = described;
  const { uid, name, createdAt, generation, labels, resource } = workload;
  return {
    apiVersion: `core.k8s.${domain}/v1alpha1`,
    kind: 'GenericResource',
    metadata: {
      name, uid,
      ...(workload.namespace !== '' && { namespace: workload.namespace }),
      ...(generation !== undefined && { generation }),
      ...(Object.keys(labels).length > 0 && { labels }),
      creationTimestamp: createdAt,
    },
    spec: {
      cluster: { uid: clusterUid, ...(mode !== undefined && { mode }) },
      apiType: resource,
      name,
      uid,
      replicas: workload.replicas ?? pods.length,
      ...(namespace !== undefined && { namespace: namespaceFacts(namespace, domain) }),
      totalResource: totalOf(described),
      pods: pods.slice(0, mostParts).map((pod) => ({
        uid: pod.uid, name: pod.name, creationTimestamp: pod.createdAt,
        containers: pod.containers.map(({ name: container, limits, requests }) => {
          return { name: container, resource: { limits, requests } };
        }),
      })),
      storage: claims.slice(0, mostParts).map((claim) => ({
        uid: claim.uid, name: claim.name, creationTimestamp: claim.createdAt,
        resources: { requests: { storage: claim.storage } },
      })),
    },
  };
}

/** The client organization of a namespace and its trial, by its annotations (open-points 4.1, 7.3). */
function namespaceFacts({ uid, name, createdAt, labels, annotations }: Namespace, domain: string): object {
  const organization = annotations[`${domain}/org-id`];
  const trial = `${domain}/enable-resource-trial`;
  return {
    uid, name, creationTimestamp: createdAt,
    ...(organization !== undefined && { aceOrgID: organization }),
    ...(Object.keys(annotations).length > 0 && { aceOrgMetadata: annotations }),
    ...((annotations[trial] ?? labels[trial]) === 'true' && { enableResourceTrial: true }),
  };
}
