import { Fault } from '@platform/faults';
import { leadingFeature } from '@platform/kubernetes';
import type { FeatureSetServiceService } from '@platform/proto/clusters/v1/feature_set';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { changeProfile, readBoundClusters, readCatalogue, readWanted } from './profile.ts';
import type { Wanted } from './rules.ts';
import { type BoundCluster, canUpdate, versionOf } from './sync-status.ts';

/** POST /clusters/{owner}/{cluster}/clustersets/{clusterset}/auto-update (spec §4.12, open-points 12.3, 12.5). */
export function startAutoUpdate({ hubs }: Parts): Handler<typeof FeatureSetServiceService.startAutoUpdate> {
  return async ({ clusterset }, context) => {
    const { deadline } = context;
    const hub = await hubs.of(context);
    const [catalogue, present, clusters] = await Promise.all([
      readCatalogue(hub, deadline), readWanted(hub, clusterset, deadline), readBoundClusters(hub, clusterset, deadline),
    ]);
    const newest = catalogue.features.get(leadingFeature)?.spec.chart?.version ?? '';
    if (isNewest(present, newest)) return {};
    await changeProfile(hub, clusterset, deadline, (wanted) => updated(wanted, newest, clusters));
    return {};
  };
}

/** Whether the profile wants the newest version. If so, the update is running or complete. */
function isNewest(wanted: Wanted, newest: string): boolean {
  return newest !== '' && versionOf(wanted) === newest;
}

/** @throws Fault AUTO_UPDATE_NOT_POSSIBLE */
function updated(wanted: Wanted, newest: string, clusters: readonly BoundCluster[]): Wanted {
  if (isNewest(wanted, newest)) return wanted;
  const leading = wanted[leadingFeature];
  if (leading?.chart === undefined) {
    throw notPossible(`the profile of the cluster set has no chart of ${leadingFeature}`);
  }
  if (newest === '') throw notPossible(`the hub knows no version of ${leadingFeature}`);
  if (versionOf(wanted) === '') {
    throw notPossible(`the profile of the cluster set names no version of ${leadingFeature}`);
  }
  if (!canUpdate(wanted, clusters)) {
    throw notPossible(`at least one cluster does not have the version of ${leadingFeature} that the profile names`);
  }
  return { ...wanted, [leadingFeature]: { ...leading, chart: { ...leading.chart, version: newest } } };
}

function notPossible(why: string): Fault {
  return new Fault('AUTO_UPDATE_NOT_POSSIBLE', why);
}
