import { createHash } from 'node:crypto';
import {
  annotationPath, Conflicted, createObject, findObject, type ManagedClusterSet, managedClusterSets, patchObject,
} from '@platform/kubernetes';
import type { ClusterSetServiceService } from '@platform/proto/clusters/v1/cluster_set';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { nameTaken } from '@platform/values';
import { repeatedRequest } from '@platform/writes';
import type { Hub } from '../hubs/hubs.ts';
import type { Parts } from '../parts.ts';
import { moveInto } from './move-clusters.ts';
import { type NamedClusters, setToCreate } from './options.ts';
import { clustersNamed, isGoing, readClusters } from './sets.ts';

/**
 * POST /clusters/{owner}/{cluster}/clustersets/create (spec §4.12, open-points 12.2). An annotation of the set holds a
 * digest of the requested clusters until all of them are added. After an interruption, a repeated call finds this
 * annotation and adds the clusters (open-points 12.5). For a request with an `Idempotency-Key`, another annotation
 * holds the id of the request. By this id, a repetition of the request finds the set.
 */
export function createClusterSet({ config, hubs }: Parts): Handler<typeof ClusterSetServiceService.createClusterSet> {
  const toAddKey = `${config.labelsDomain}/clusters-to-add`;
  const requestKey = `${config.labelsDomain}/created-by-request`;
  return async ({ options }, context) => {
    const named = setToCreate(options);
    const { deadline } = context;
    const hub = await hubs.of(context);
    const isEmpty = named.clusters.length === 0;
    const clusters = isEmpty ? [] : clustersNamed(await readClusters(hub, deadline), named.clusters);
    await hub.confirm();
    const request = repeatedRequest(context);
    const toAdd: Annotations = isEmpty ? {} : { [toAddKey]: digestOf(named) };
    const byRequest: Annotations = request === undefined ? {} : { [requestKey]: request };
    const known = await create(hub, named.set, { toAdd, request: byRequest }, deadline);
    if (isEmpty || (known !== undefined && !has(known, toAdd))) return {};
    await moveInto(hub, named.set, clusters, deadline);
    const path = annotationPath(toAddKey);
    const done = [{ op: 'test', path, value: toAdd[toAddKey] }, { op: 'remove', path }] as const;
    await patchObject(hub.connection, managedClusterSets, { name: named.set }, done, deadline)
      .catch((error: unknown) => {
        // Ignore Conflicted: another call has completed the set, or the set was changed or deleted.
        if (!(error instanceof Conflicted)) throw error;
      });
    return {};
  };
}

type Annotations = Readonly<Record<string, string>>;

/**
 * Creates a set.
 * @returns undefined if the set is new. If a set with this name exists and has the annotations `toAdd` or `request`,
 *   returns the existing set
 * @throws Fault ALREADY_EXISTS if the existing set has neither of them, or is being deleted
 */
async function create(
  { connection }: Hub, name: string, { toAdd, request }: { readonly toAdd: Annotations; readonly request: Annotations },
  deadline: Deadline,
): Promise<ManagedClusterSet | undefined> {
  const selector = { selectorType: 'ExclusiveClusterSetLabel' };
  const fresh = { metadata: { name, annotations: { ...toAdd, ...request } }, spec: { clusterSelector: selector } };
  try {
    await createObject(connection, managedClusterSets, fresh, deadline);
    return undefined;
  } catch (error) {
    if (!(error instanceof Conflicted)) throw error;
    const known = await findObject(connection, managedClusterSets, { name }, deadline);
    if (known !== undefined && !isGoing(known) && (has(known, toAdd) || has(known, request))) return known;
    throw nameTaken(name, error);
  }
}

/** Whether a set has all these annotations; false if none are given. */
function has({ metadata }: ManagedClusterSet, annotations: Annotations): boolean {
  const wanted = Object.entries(annotations);
  return wanted.length > 0 && wanted.every(([key, value]) => metadata.annotations?.[key] === value);
}

function digestOf({ clusters }: NamedClusters): string {
  return createHash('sha256').update(JSON.stringify([...clusters].sort())).digest('hex');
}
