import type { MeteredObject } from '../store/read-objects.ts';
import { rfc3339 } from './month.ts';

/** `object` of open-points 7.2. */
export function showObject(object: MeteredObject, clusterName: string) {
  return {
    objectID: object.objectUid,
    group: object.group,
    kind: object.kind,
    name: object.name,
    namespace: object.namespace,
    namespaceUID: object.namespaceUid,
    clusterUID: object.clusterUid,
    clusterName,
    createdAt: rfc3339(object.createdUs),
    ...(object.deletedUs === null ? {} : { deletedAt: rfc3339(object.deletedUs) }),
  };
}
