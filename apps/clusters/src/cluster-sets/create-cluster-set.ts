import { createHash } from 'node:crypto';
import {
  annotationPath, Conflicted, createObject, findObject, type ManagedClusterSet, managedClusterSets, patchObject,
} from '@platform/kubernetes';
import type { ClusterSetServiceService } from '@platform/proto/clusters/v1/cluster_set';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { nameTaken } from '@platform/values';
import type { Hub } from '../hubs/hubs.ts';
import type { Parts } from '../parts.ts';
import { moveInto } from './move-clusters.ts';
import { type NamedClusters, setToCreate } from './options.ts';
import { clustersNamed, isGoing, readClusters } from './sets.ts';

/**
 * POST /clusters/{owner}/{cluster}/clustersets/create (spec §4.12, open-points 12.2).
 *
 * An annotation says which clusters are still to be added. So a creation that was cut off is completed by its
 * repetition (open-points 12.5).
 */
export function createClusterSet({ config, hubs }: Parts): Handler<typeof ClusterSetServiceService.createClusterSet> {
  const annotation = `${config.labelsDomain}/clusters-to-add`;
  return async ({ options }, context) => {
    const named = setToCreate(options);
    const { deadline } = context;
    const hub = await hubs.of(context);
    const isEmpty = named.clusters.length === 0;
    const clusters = isEmpty ? [] : clustersNamed(await readClusters(hub, deadline), named.clusters);
    await hub.confirm();
    if (isEmpty) {
      await create(hub, named.set, {}, deadline);
    } else {
      const toAdd = digestOf(named);
      await create(hub, named.set, { [annotation]: toAdd }, deadline);
      await moveInto(hub, named.set, clusters, deadline);
      const path = annotationPath(annotation);
      const done = [{ op: 'test', path, value: toAdd }, { op: 'remove', path }] as const;
      await patchObject(hub.connection, managedClusterSets, { name: named.set }, done, deadline)
        .catch(unlessDoneMeanwhile);
    }
    return {};
  };
}

/** @throws Fault ALREADY_EXISTS for a set that is no beginning of this creation */
async function create(
  { connection }: Hub, name: string, annotations: Readonly<Record<string, string>>, deadline: Deadline,
): Promise<void> {
  const selector = { selectorType: 'ExclusiveClusterSetLabel' };
  const fresh = { metadata: { name, annotations }, spec: { clusterSelector: selector } };
  await createObject(connection, managedClusterSets, fresh, deadline).catch(async (error: unknown) => {
    if (!(error instanceof Conflicted)) throw error;
    const known = await findObject(connection, managedClusterSets, { name }, deadline);
    if (known === undefined || isGoing(known) || !isBegun(known, annotations)) throw nameTaken(name, error);
  });
}

function isBegun({ metadata }: ManagedClusterSet, annotations: Readonly<Record<string, string>>): boolean {
  const begun = Object.entries(annotations);
  return begun.length > 0 && begun.every(([key, value]) => metadata.annotations?.[key] === value);
}

/** Another call with the same clusters has completed it. */
function unlessDoneMeanwhile(error: unknown): void {
  if (!(error instanceof Conflicted)) throw error;
}

function digestOf({ clusters }: NamedClusters): string {
  return createHash('sha256').update(JSON.stringify([...clusters].sort())).digest('hex');
}
