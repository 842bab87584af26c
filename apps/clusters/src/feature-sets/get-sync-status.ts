import { notFound } from '@platform/faults';
import type { FeatureSetServiceService } from '@platform/proto/clusters/v1/feature_set';
import type { CallContext, Handler, ObjectContext } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { readBoundClusters, readCatalogue, readWanted } from './profile.ts';
import { canUpdate, statusOfAll, statusOfFeature, versionAt, versionOf } from './sync-status.ts';

type Methods = typeof FeatureSetServiceService;

/** GET …/clustersets/{clusterset}/sync-status/all-features (spec §4.12, open-points 12.3). */
export function getSyncStatusOfAllFeatures({ hubs }: Parts): Handler<Methods['getSyncStatusOfAllFeatures']> {
  return async ({ clusterset }, context) => {
    const hub = await hubs.of(context);
    const [catalogue, wanted, clusters] = await Promise.all([
      readCatalogue(hub, context.deadline),
      readWanted(hub, clusterset, context.deadline),
      readBoundClusters(hub, clusterset, context.deadline),
    ]);
    const all = Object.entries(statusOfAll(catalogue, wanted, clusters));
    return { featureSets: Object.fromEntries(all.map(([name, features]) => [name, { features }])) };
  };
}

/** GET …/clustersets/{clusterset}/sync-status/{feature} (spec §4.12, open-points 12.3). */
export function getSyncStatusOfFeature(parts: Parts): Handler<Methods['getSyncStatusOfFeature']> {
  return async ({ clusterset, feature }, context) => {
    const [wanted, clusters] = await readProgress(parts, clusterset, context);
    if (!Object.hasOwn(wanted, feature)) throw notFound('the feature is not in the profile of the cluster set');
    const { insyncClusters, outOfSyncClusters } = statusOfFeature(feature, wanted, clusters);
    return { insyncClusters, outOfSyncClusters };
  };
}

/** GET …/clustersets/{clusterset}/sync-status/opscenter-features-version (spec §4.12, open-points 12.3). */
export function getFeaturesVersion(parts: Parts): Handler<Methods['getFeaturesVersion']> {
  return async ({ clusterset }, context) => {
    const [wanted, clusters] = await readProgress(parts, clusterset, context);
    return {
      clusterSetVersion: versionOf(wanted),
      clusters: clusters.map((cluster) => ({ name: cluster.name, version: versionAt(cluster) })),
    };
  };
}

/** GET …/clustersets/{clusterset}/auto-update/check (spec §4.12, open-points 12.3). */
export function checkAutoUpdate(parts: Parts): Handler<Methods['checkAutoUpdate']> {
  return async ({ clusterset }, context) => {
    const [wanted, clusters] = await readProgress(parts, clusterset, context);
    return { possible: canUpdate(wanted, clusters) };
  };
}

async function readProgress({ hubs }: Parts, set: string, context: CallContext & ObjectContext) {
  const hub = await hubs.of(context);
  return Promise.all([readWanted(hub, set, context.deadline), readBoundClusters(hub, set, context.deadline)]);
}
