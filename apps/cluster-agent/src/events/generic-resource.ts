import type { Described } from '../inventory/inventory.ts';
import type { Namespace } from '../inventory/read-objects.ts';
import { totalOf } from './totals.ts';

/** Maximum number of pods, and of claims, in an event. */
const mostParts = 1_000;
/** Maximum total size of the pods, and of the claims, in bytes of JSON. A message also needs space for other fields. */
const mostBytesOfParts = 200 * 1024;

/** Returns the resource that describes an object in its events (open-points 13.2, 13.5). */
export function genericResource(
  described: Described, { uid: clusterUid, mode, domain }: { uid: string; mode: string | undefined; domain: string },
): object {
  const { workload, pods, claims, namespace } = described;
  const { uid, name, createdAt, generation, labels, resource } = workload;
  return {
    apiVersion: `core.k8s.${domain}/v1alpha1`, kind: 'GenericResource',
    metadata: {
      name, uid,
      ...(workload.namespace !== '' && { namespace: workload.namespace }),
      ...(generation !== undefined && { generation }),
      ...(Object.keys(labels).length > 0 && { labels }),
      creationTimestamp: createdAt,
    },
    spec: {
      cluster: { uid: clusterUid, ...(mode !== undefined && { mode }) },
      apiType: resource, name, uid,
      replicas: workload.replicas ?? pods.length,
      ...(namespace !== undefined && { namespace: namespaceFacts(namespace, domain) }),
      totalResource: totalOf(described),
      pods: fitting(pods.map((pod) => ({
        uid: pod.uid, name: pod.name, creationTimestamp: pod.createdAt,
        containers: pod.containers.map(({ name: container, limits, requests }) =>
          ({ name: container, resource: { limits, requests } })),
      }))),
      storage: fitting(claims.map((claim) => ({
        uid: claim.uid, name: claim.name, creationTimestamp: claim.createdAt,
        resources: { requests: { storage: claim.storage } },
      }))),
    },
  };
}

function fitting(parts: readonly object[]): readonly object[] {
  let bytes = 0;
  const tooMany = parts.findIndex((part, place) => {
    bytes += Buffer.byteLength(JSON.stringify(part));
    return place === mostParts || bytes > mostBytesOfParts;
  });
  return tooMany < 0 ? parts : parts.slice(0, tooMany);
}

/**
 * Describes a namespace for events. Reads its client organization from an annotation, and its resource trial from an
 * annotation or a label (open-points 4.1, 7.3).
 */
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
