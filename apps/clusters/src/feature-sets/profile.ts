import { Fault } from '@platform/faults';
import {
  createObject, features, featureSets, findObject, listObjects, managedClusterProfileBindings,
  managedClusterSetProfiles, replaceObject, withoutConflict,
} from '@platform/kubernetes';
import type { Deadline } from '@platform/service';
import { readClusters, readSet } from '../cluster-sets/sets.ts';
import type { Hub } from '../hubs/hubs.ts';
import { clustersOf } from '../hubs/selection.ts';
import { type Catalogue, catalogueOf, type Wanted } from './rules.ts';
import type { BoundCluster } from './sync-status.ts';

export async function readCatalogue({ connection }: Hub, deadline: Deadline): Promise<Catalogue> {
  const [sets, all] = await Promise.all([
    listObjects(connection, featureSets, deadline), listObjects(connection, features, deadline),
  ]);
  return catalogueOf(sets, all);
}

function readProfile({ connection }: Hub, set: string, deadline: Deadline) {
  return findObject(connection, managedClusterSetProfiles, { name: set }, deadline);
}

/** The features that the profile of a set wants. @throws Fault NOT_FOUND for the set */
export async function readWanted(hub: Hub, set: string, deadline: Deadline): Promise<Wanted> {
  const [profile] = await Promise.all([readProfile(hub, set, deadline), readSet(hub, set, deadline)]);
  return profile?.spec?.features ?? {};
}

/** The clusters of a set with their profile bindings, sorted by name. @throws Fault NOT_FOUND for the set */
export async function readBoundClusters(hub: Hub, set: string, deadline: Deadline): Promise<BoundCluster[]> {
  const [read, all, bindings] = await Promise.all([
    readSet(hub, set, deadline), readClusters(hub, deadline),
    listObjects(hub.connection, managedClusterProfileBindings, deadline),
  ]);
  const ofSet = new Map(bindings.filter(({ spec }) => spec.profileRef.name === set)
    .map((binding) => [binding.metadata.namespace, binding]));
  return clustersOf(read, all)
    .map(({ metadata: { name } }) => ({ name, binding: ofSet.get(name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Changes the features that the profile of a set wants. If another writer changes the profile meanwhile, reads it again
 * and retries.
 * @param decide returns the features wanted from now on; called again for each retry
 * @throws Fault NOT_FOUND for the set, CONFLICT, BODY_TOO_LARGE; the errors of `decide` and `hub.confirm`
 */
export async function changeProfile(
  hub: Hub, set: string, deadline: Deadline, decide: (wanted: Wanted) => Wanted,
): Promise<void> {
  await readSet(hub, set, deadline);
  let confirmed = false;
  await withoutConflict(async () => {
    const profile = await readProfile(hub, set, deadline);
    const wanted = decide(profile?.spec?.features ?? {});
    refuseTooLarge(wanted);
    if (!confirmed) await hub.confirm();
    confirmed = true;
    if (profile !== undefined) {
      const changed = { ...profile, spec: { ...profile.spec, features: wanted } };
      await replaceObject(hub.connection, managedClusterSetProfiles, changed, deadline);
    } else if (Object.keys(wanted).length > 0) {
      const fresh = { metadata: { name: set }, spec: { features: wanted } };
      await createObject(hub.connection, managedClusterSetProfiles, fresh, deadline);
    }
  });
}

/** Maximum size of an object that a hub stores, in bytes (open-points 12.5). */
const mostBytes = 1_536 * 1_024;

/** @throws Fault BODY_TOO_LARGE */
export function refuseTooLarge(wanted: Wanted): void {
  if (Buffer.byteLength(JSON.stringify(wanted)) > mostBytes) {
    throw new Fault('BODY_TOO_LARGE', 'the features are too large: the hub stores at most 1.5 MiB in an object');
  }
}
