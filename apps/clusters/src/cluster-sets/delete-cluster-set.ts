import {
  applyObject, defaultSet, deleteObject, findObject, globalSet, listObjects, managedClusterProfileBindings,
  type ManagedClusterSet, managedClusterSetBindings, managedClusterSetProfiles, managedClusterSets, withoutConflict,
} from '@platform/kubernetes';
import type { ClusterSetServiceService } from '@platform/proto/clusters/v1/cluster_set';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { invalidValue, validationFailed } from '@platform/values';
import type { Hub } from '../hubs/hubs.ts';
import type { Parts } from '../parts.ts';
import { moveOut } from './move-clusters.ts';
import { isGoing, readMembers, setNotFound } from './sets.ts';

/**
 * POST /clusters/{owner}/{cluster}/clustersets/delete (spec §4.12, open-points 12.2). A finalizer keeps the set until
 * all references to the set are removed. So a repeated call can complete an interrupted deletion. A concurrent call
 * that adds clusters sees that the set is being deleted.
 */
export function deleteClusterSet({ config, hubs }: Parts): Handler<typeof ClusterSetServiceService.deleteClusterSet> {
  const finalizer = `${config.labelsDomain}/cluster-set`;
  return async ({ options }, context) => {
    const { clusterSet: name = '' } = options ?? {};
    if (name === '') throw validationFailed([{ path: 'clusterSet', message: 'must not be empty' }]);
    const { deadline } = context;
    const hub = await hubs.of(context);
    if (name === defaultSet || name === globalSet) {
      const message = `must not be ${defaultSet} or ${globalSet}, which every hub has`;
      throw invalidValue([{ path: 'clusterSet', message }]);
    }
    await hub.confirm();
    const set = await withoutConflict(() => begin(hub, name, finalizer, deadline));
    await moveOut(hub, name, await readMembers(hub, name, deadline), deadline);
    await withoutConflict(() => removeReferences(hub, name, deadline));
    await withoutConflict(() => release(hub, set, deadline));
    return {};
  };
}

/** Marks the set for deletion. @throws Fault NOT_FOUND */
async function begin({ connection }: Hub, name: string, finalizer: string, deadline: Deadline) {
  const set = await findObject(connection, managedClusterSets, { name }, deadline);
  if (set === undefined) throw setNotFound();
  if (isGoing(set)) return set;
  const metadata = { name, uid: set.metadata.uid!, finalizers: [finalizer] };
  await applyObject(connection, managedClusterSets, { metadata }, deadline);
  await deleteObject(connection, managedClusterSets, set, deadline);
  return set;
}

async function removeReferences({ connection }: Hub, name: string, deadline: Deadline): Promise<void> {
  const [bindings, profileBindings, profile] = await Promise.all([
    listObjects(connection, managedClusterSetBindings, deadline),
    listObjects(connection, managedClusterProfileBindings, deadline),
    findObject(connection, managedClusterSetProfiles, { name }, deadline),
  ]);
  await Promise.all([
    ...bindings.filter(({ spec }) => spec?.clusterSet === name)
      .map((binding) => deleteObject(connection, managedClusterSetBindings, binding, deadline)),
    ...profileBindings.filter(({ spec }) => spec.profileRef.name === name)
      .map((binding) => deleteObject(connection, managedClusterProfileBindings, binding, deadline)),
    ...(profile === undefined ? [] : [deleteObject(connection, managedClusterSetProfiles, profile, deadline)]),
  ]);
}

/** Removes the finalizer, so that the hub deletes the set. Does nothing if this set no longer exists. */
async function release({ connection }: Hub, { metadata: { name, uid } }: ManagedClusterSet, deadline: Deadline) {
  const now = await findObject(connection, managedClusterSets, { name }, deadline);
  if (now === undefined || now.metadata.uid !== uid) return;
  const metadata = { name, uid: uid!, finalizers: [] };
  await applyObject(connection, managedClusterSets, { metadata }, deadline);
}
