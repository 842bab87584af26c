import { notFound } from '@platform/faults';
import {
  createObject, listObjects, type ManagedCluster, type ManagedClusterProfileBinding, managedClusterProfileBindings,
  replaceObject, withoutConflict,
} from '@platform/kubernetes';
import type { FeatureSetServiceService } from '@platform/proto/clusters/v1/feature_set';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { readClusters, readSet } from '../cluster-sets/sets.ts';
import type { Hub } from '../hubs/hubs.ts';
import { clustersOf, uidOf } from '../hubs/selection.ts';
import type { Parts } from '../parts.ts';
import { readCatalogue, readWanted, refuseTooLarge } from './profile.ts';
import { requestedInstallation } from './requested.ts';
import { type Catalogue, install, type Installation, setOf, type Wanted } from './rules.ts';

/**
 * POST /clusters/{owner}/{cluster}/clustersets/{clusterset}/{managedCluster}/update-featureset (spec §4.12, open-points
 * 12.3): sets features of one cluster. They override the profile of the cluster set.
 */
export function updateFeatureSet({ hubs }: Parts): Handler<typeof FeatureSetServiceService.updateFeatureSet> {
  return async ({ clusterset, managedCluster, model }, context) => {
    const installation = requestedInstallation(model);
    const { deadline } = context;
    const hub = await hubs.of(context);
    const [cluster, catalogue, profile] = await Promise.all([
      memberOf(hub, clusterset, managedCluster, deadline), readCatalogue(hub, deadline),
      readWanted(hub, clusterset, deadline),
    ]);
    let confirmed = false;
    await withoutConflict(async () => {
      const bindings = await listObjects(
        hub.connection, managedClusterProfileBindings, deadline, { namespace: managedCluster },
      );
      const binding = bindings.find(({ spec }) => spec.profileRef.name === clusterset);
      const features = overrides(catalogue, profile, binding?.spec.features ?? {}, installation);
      refuseTooLarge(features);
      if (!confirmed) await hub.confirm();
      confirmed = true;
      if (binding === undefined) {
        const fresh = newBinding(clusterset, cluster, features);
        await createObject(hub.connection, managedClusterProfileBindings, fresh, deadline);
      } else {
        const changed = { ...binding, spec: { ...binding.spec, features } };
        await replaceObject(hub.connection, managedClusterProfileBindings, changed, deadline);
      }
    });
    return {};
  };
}

/**
 * Returns the features of a binding after an installation. The installation starts from the features of the profile and
 * of the binding. The result contains only features that the request names, features that the profile lacks, and
 * earlier features of the binding from other feature sets.
 * @throws Fault INVALID_VALUE, FEATURE_REQUIRED
 */
function overrides(catalogue: Catalogue, profile: Wanted, own: Wanted, installation: Installation): Wanted {
  const after = install(catalogue, { ...profile, ...own }, installation, new Set(Object.keys(profile)));
  const named = new Set(installation.features.map(({ name }) => name));
  return Object.fromEntries(Object.entries(after).filter(([name, entry]) => {
    const isOfOther = own[name] !== undefined && setOf(catalogue, name, entry) !== installation.featureSet;
    return named.has(name) || profile[name] === undefined || isOfOther;
  }));
}

async function memberOf(hub: Hub, set: string, name: string, deadline: Deadline): Promise<ManagedCluster> {
  const [read, all] = await Promise.all([readSet(hub, set, deadline), readClusters(hub, deadline)]);
  const member = clustersOf(read, all).find(({ metadata }) => metadata.name === name);
  if (member === undefined) throw notFound('the cluster is not in the cluster set');
  return member;
}

function newBinding(set: string, cluster: ManagedCluster, features: Wanted): ManagedClusterProfileBinding {
  const { name } = cluster.metadata;
  return {
    metadata: { name, namespace: name },
    spec: {
      profileRef: { name: set }, features,
      clusterMetadata: { uid: uidOf(cluster), name, clusterManagers: ['OCMSpoke'] },
    },
  };
}
