import { ApiFault } from '@platform/lab';
import { until } from '@platform/testing';
import { joined, makeSpoke, paths, setLabel, uidOfSpoke } from '../clusters/hub-world.ts';
import { makeFeatureSet, makeSet, type OwnHub } from '../clusters/own-hub.ts';
import type { MakeList } from './changing-lists.ts';

/** Each page of such a list is computed from all objects of the hub; a hub has about this many clusters. */
export const mostHubRows = 1_000;
/** Requests to the API server of the hub at a time. */
const atOnce = 20;
const clusterSet = 'changing';

interface Rows {
  readonly path: string;
  /** Name of an item in the answer. */
  readonly keyOf: (item: never) => string;
  readonly put: (name: string) => Promise<unknown>;
  readonly take: (name: string) => Promise<unknown>;
  /** Makes the objects to which the rows refer. */
  readonly prepare?: (name: string) => Promise<unknown>;
}

/** The lists of clusters, sets and feature sets, by method. Their rows are objects that are changed in the hub. */
export function changingHubLists({ api, importInto }: OwnHub): Readonly<Record<string, MakeList>> {
  const listOf = (kind: string, { path, keyOf, put, take, prepare }: Rows): MakeList => async (world, candidates) => {
    const { username } = await world.organization(world.siteAdmin);
    await importInto(world.platform, username, 'hub');
    await makeSet(api, clusterSet);
    const key = (candidate: number) => `${kind}-${String(candidate).padStart(5, '0')}`;
    if (prepare) await each(Array.from({ length: candidates }, (_, candidate) => key(candidate)), prepare);
    return {
      address: `/api/v1/clusters/${username}/hub${path}`,
      keyOf,
      key,
      put: (some) => each(some.map(key), put),
      take: (some) => each(some.map(key), take),
    };
  };
  const merge = (path: string, change: object) => api.call('PATCH', path, change, 'application/merge-patch+json');
  const remove = async (path: string) => {
    await api.call('DELETE', path);
    const gone = () => api.call('GET', path).then(() => false, (error: unknown) => {
      if (error instanceof ApiFault && error.status === 404) return true;
      throw error;
    });
    await until(gone, { what: `${path} is gone` });
  };
  const spoke = (name: string) => makeSpoke(api, name, uidOfSpoke(name), 'default');
  const spokeWith = (change: (name: string) => Promise<unknown>) => (name: string) =>
    spoke(name).then(() => change(name));
  const moveTo = (set: string) => (name: string) =>
    merge(`${paths.clusters}/${name}`, { metadata: { labels: { [setLabel]: set } } });
  const setJoined = (status: 'True' | 'False') => (name: string) =>
    merge(`${paths.clusters}/${name}/status`, { status: { conditions: [joined(status)] } });
  const itself = (name: string) => name;
  const nameOf = ({ name }: { name: string }) => name;
  const sets = { put: (name: string) => makeSet(api, name), take: (name: string) => remove(`${paths.sets}/${name}`) };

  return {
    'controlplane.clusters.v1.ClusterSetService.ListClusterSets': listOf('set', {
      path: '/clustersets', keyOf: ({ clusterSetName }: { clusterSetName: string }) => clusterSetName, ...sets,
    }),
    'controlplane.clusters.v1.ClusterSetService.ListAvailableClusterSets':
      listOf('available-set', { path: '/available-clustersets', keyOf: itself, ...sets }),
    'controlplane.clusters.v1.ClusterSetService.ListAvailableClusters': listOf('available', {
      path: '/available-clusters', keyOf: nameOf, put: setJoined('True'), take: setJoined('False'),
      prepare: spokeWith(setJoined('False')),
    }),
    'controlplane.clusters.v1.ClusterSetService.ListClustersOfSet': listOf('in-set', {
      path: `/clustersets/${clusterSet}/clusters`, keyOf: nameOf,
      put: moveTo(clusterSet), take: moveTo('default'), prepare: spoke,
    }),
    'controlplane.clusters.v1.ClusterSetService.ListClustersToAdd': listOf('outside', {
      path: `/clustersets/${clusterSet}/clusterlist`, keyOf: itself,
      put: moveTo('default'), take: moveTo(clusterSet), prepare: spokeWith(moveTo(clusterSet)),
    }),
    'controlplane.clusters.v1.FeatureSetService.ListFeatureSets': listOf('features', {
      path: `/clustersets/${clusterSet}/featuresets`, keyOf: nameOf,
      put: (name) => makeFeatureSet(api, name, []), take: (name) => remove(`${paths.featureSets}/${name}`),
    }),
  };
}

async function each(names: readonly string[], change: (name: string) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < names.length; start += atOnce) {
    await Promise.all(names.slice(start, start + atOnce).map(change));
  }
}
