import { pageOf, partOf } from '@platform/lists';
import type { ClusterSetServiceService } from '@platform/proto/clusters/v1/cluster_set';
import type { Handler } from '@platform/rpc';
import { clustersOf } from '../hubs/selection.ts';
import { readKnownClusters } from '../hubs/store.ts';
import type { Parts } from '../parts.ts';
import { readClusters, readSet, readSets } from './sets.ts';
import { readUids } from './uids.ts';

/** GET /clusters/{owner}/{cluster}/clustersets (spec §4.12). */
export function listClusterSets({ config, hubs }: Parts): Handler<typeof ClusterSetServiceService.listClusterSets> {
  return async (request, context) => {
    const page = pageOf(request, config);
    const hub = await hubs.of(context);
    const [sets, clusters] = await Promise.all([readSets(hub, context.deadline), readClusters(hub, context.deadline)]);
    const { items, total, next } = partOf(sets, ({ metadata }) => metadata.name, page);
    const clusterSets = items.map((set) => ({
      clusterSetName: set.metadata.name,
      clusterSetTitle: set.metadata.annotations?.[`${config.labelsDomain}/title`] ?? '',
      clusters: clustersOf(set, clusters).length,
    }));
    return { clusterSets, total, next };
  };
}

/** GET /clusters/{owner}/{cluster}/clustersets/{clusterset}/clusters (spec §4.12, open-points 12.2). */
export function listClustersOfSet(
  { config, database, hubs }: Parts,
): Handler<typeof ClusterSetServiceService.listClustersOfSet> {
  return async (request, context) => {
    const page = pageOf(request, config);
    const { deadline } = context;
    const hub = await hubs.of(context);
    const [set, all] = await Promise.all([readSet(hub, request.clusterset, deadline), readClusters(hub, deadline)]);
    const { items, total, next } = partOf(clustersOf(set, all), ({ metadata }) => metadata.name, page);
    const uids = await readUids(hub, items, config.labelsDomain, deadline);
    const found = [...uids.values()].filter((uid) => uid !== '');
    const known = await readKnownClusters(database, found, hub.ownerId, deadline);
    const clusters = items.map((cluster) => {
      const entry = known.get(uids.get(cluster)!);
      return {
        name: cluster.metadata.name,
        displayName: entry?.displayName ?? '',
        clusterNode: entry?.nodeCount ?? 0,
        provider: entry?.provider ?? '',
        kubernetesVersion: cluster.status?.version?.kubernetes ?? entry?.kubernetesVersion ?? '',
        imported: entry !== undefined,
      };
    });
    return { clusters, total, next };
  };
}

/** GET /clusters/{owner}/{cluster}/clustersets/{clusterset}/clusterlist (spec §4.12): clusters not in the set. */
export function listClustersToAdd({ config, hubs }: Parts): Handler<typeof ClusterSetServiceService.listClustersToAdd> {
  return async (request, context) => {
    const page = pageOf(request, config);
    const { deadline } = context;
    const hub = await hubs.of(context);
    const [set, all] = await Promise.all([readSet(hub, request.clusterset, deadline), readClusters(hub, deadline)]);
    const inSet = new Set(clustersOf(set, all));
    const names = all.filter((cluster) => !inSet.has(cluster)).map(({ metadata }) => metadata.name);
    const { items, total, next } = partOf(names, (name) => name, page);
    return { clusters: [...items], total, next };
  };
}
