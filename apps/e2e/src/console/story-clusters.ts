import { equal } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { type Api, openApi } from '@platform/lab';
import { testLab, until } from '@platform/testing';
import { makeSpoke, paths, uidOfSpoke } from '../clusters/hub-world.ts';
import type { ConsoleWorld } from './console-world.ts';

const api = { apiVersion: 'ui.k8s.appscode.com/v1alpha1' };
const profileApi = { apiVersion: 'profile.k8s.appscode.com/v1alpha1' };
const chart = { name: 'chart', version: 'v1', sourceRef: { kind: 'HelmRepository', name: 'charts' } };

/**
 * Story 5: the operator opens a hub, makes a cluster set, installs a feature there, sees on which clusters it is,
 * updates all features, and binds a namespace.
 */
export async function operatorManagesClusters(world: ConsoleWorld): Promise<void> {
  const { hubPrefix: prefix } = world;
  const olga = await world.visit(world.owner);
  using hub = await openApi((await testLab()).hub.kubeconfig);
  const clusters = [`${prefix}-one`, `${prefix}-two`] as const;
  const feature = (name: string, more: object) => hub.create(paths.features, {
    ...api, kind: 'Feature', metadata: { name }, spec: { description: '', chart, ...more },
  });
  await hub.create(paths.featureSets, {
    ...api, kind: 'FeatureSet', metadata: { name: prefix }, spec: { description: '', chart, title: `Core ${prefix}` },
  });
  await feature(`${prefix}-base`, { title: 'Base', featureSet: prefix });
  const lead = { featureSet: `${prefix}-lead`, chart };
  // Other specs make an object with the same name.
  await feature('opscenter-features', { ...lead, title: 'Features', chart: { ...chart, version: 'v2' } });
  await hub.create(paths.profiles, {
    ...profileApi, kind: 'ManagedClusterSetProfile', metadata: { name: prefix },
    spec: { features: { 'opscenter-features': lead } },
  });
  await hub.create('/api/v1/namespaces', { metadata: { name: prefix } });
  for (const name of clusters) await makeSpoke(hub, name, uidOfSpoke(name), 'default');
  await olga.go('/orgs/acme/clusters');
  await olga.type('Open a hub', 'hub');
  await olga.click('Open');
  await olga.page.getByRole('heading', { level: 1, name: 'hub', exact: true }).waitFor();
  await olga.submit('New cluster set', 'Create', ['Name', prefix]);
  await olga.sees('The cluster set is created');
  await olga.click(prefix);
  await olga.sees('No clusters in this set');
  await olga.click('Add clusters');
  await olga.choose('Clusters', ...clusters);
  await olga.confirm('Add');
  await olga.sees('The clusters are in the set');

  const core = new RegExp(`^Core ${prefix}`);
  await olga.click(core);
  await olga.click('Install');
  await olga.choose('Features', 'Base');
  await olga.confirm('Install');
  await olga.sees('The features are being installed');
  await olga.click(new RegExp(`${core.source}.*Installed`));
  const row = olga.page.getByRole('region', { name: 'The sync status' }).getByRole('row')
    .filter({ hasText: `${prefix}-base` });
  const show = (...expected: readonly [inSync: number, outOfSync: number]) => until(async () => {
    const [inSync, out] = [row.getByLabel('In sync', { exact: true }), row.getByLabel('Out of sync')];
    return isDeepStrictEqual([await inSync.count(), await out.count()], expected);
  }, { within: 30_000, what: `the matrix has ${expected.join(' and ')}` });
  await show(0, 2);
  const update = olga.page.getByRole('button', { name: 'Update all features' });
  await carryOut(hub, prefix, clusters[0]);
  await show(1, 1);
  await olga.sees(/^The features can be updated once/);
  equal(await update.isDisabled(), true);
  await carryOut(hub, prefix, clusters[1]);
  await show(2, 0);
  await olga.click('Update all features');
  await olga.sees('The update has begun');

  await olga.click('Namespaces', 'tab');
  await olga.click('Bind a namespace');
  await olga.type('Namespace of the hub', prefix);
  await olga.choose('Cluster set', prefix);
  await olga.confirm('Bind');
  await olga.sees('The namespace is bound');
  await olga.inRow(prefix, 'Unbind');
  await olga.sees('The namespace is unbound');

  await olga.click('Cluster sets', 'tab');
  await olga.inRow(prefix, 'Delete');
  await olga.confirm('Delete');
  await olga.sees('The cluster set is deleted');
}

/** Does the work of the controllers on the hub: gives a cluster what its set specifies. */
async function carryOut(hub: Api, set: string, cluster: string): Promise<void> {
  const path = paths.profileBindings(cluster);
  // Open Cluster Management makes the namespace.
  await until(() => hub.create(path, {
    ...profileApi, kind: 'ManagedClusterProfileBinding', metadata: { name: cluster, namespace: cluster },
    spec: { profileRef: { name: set }, clusterMetadata: { uid: '', name: cluster, clusterManagers: ['OCMSpoke'] } },
  }).then(() => true, () => false), { within: 30_000, what: `the cluster ${cluster} has a namespace` });
  const { metadata } = await hub.call('GET', `${path}/${cluster}`) as { metadata: { generation: number } };
  await hub.call('PATCH', `${path}/${cluster}/status`, {
    status: { phase: 'Current', observedGeneration: metadata.generation, observedOpscenterFeaturesVersion: 'v1' },
  }, 'application/merge-patch+json');
}
