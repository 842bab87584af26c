import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { outcome } from '../orgs/world.ts';
import { type HubWorld, make, paths, startHubWorld } from './hub-world.ts';
import { carryOut } from './own-hub.ts';

let hub: HubWorld;
let core: string;
let backup: string;
let set: string;
let spokes: string[];

const chart = { name: 'chart', version: 'v1', sourceRef: { kind: 'HelmRepository', name: 'charts' } };
const f = (name: string) => `${hub.prefix}-${name}`;

beforeAll(async () => {
  hub = await startHubWorld();
  [core, backup] = [f('core'), f('backup')];
  await makeSet(core, { requiredFeatures: [f('base')], recommended: true });
  await makeSet(backup, {});
  await makeSet(f('hidden'), { disabled: true });
  await makeFeature('base', { featureSet: core, recommended: true, featureBlock: 'block' });
  await makeFeature('ui', { featureSet: core, requirements: { features: [f('base')] } });
  await makeFeature('stash', { featureSet: backup, requirements: { features: [f('base')] }, featureExclusionGroup: f('one') });
  await makeFeature('velero', { featureSet: backup, featureExclusionGroup: f('one') });
  await makeFeature('tape', { featureSet: backup, disabled: true });
  const opscenter = { title: 'Features', description: '', featureSet: core, chart: { ...chart, version: 'v2' } };
  await make(hub.api, paths.features, 'Feature', 'opscenter-features', opscenter);
}, 180_000);
afterAll(async () => hub?.[Symbol.asyncDispose]());
beforeEach(async () => {
  spokes = await hub.spokes(2);
  set = await hub.set(...spokes);
});

async function makeSet(name: string, spec: object): Promise<void> {
  const given = { title: `Title of ${name}`, description: 'About it', chart, ...spec };
  await make(hub.api, paths.featureSets, 'FeatureSet', name, given);
}

async function makeFeature(name: string, spec: object): Promise<void> {
  await make(hub.api, paths.features, 'Feature', f(name), { title: name, description: 'About it', chart, ...spec });
}

const install = (body: unknown) => hub.post(`/clustersets/${set}/install-featureset`, body);
const disable = (featureSet: string, features?: readonly string[]) =>
  hub.post(`/clustersets/${set}/disable-featureset`, { clusterSet: set, featureSet, features });
const update = (cluster: string, body: unknown) => hub.post(`/clustersets/${set}/${cluster}/update-featureset`, body);

async function wanted(): Promise<Record<string, unknown>> {
  const profile = await hub.find(`${paths.profiles}/${set}`) as { spec?: { features?: Record<string, unknown> } } | undefined;
  return profile?.spec?.features ?? {};
}

const bindingOf = async (cluster: string) => await hub.find(`${paths.profileBindings(cluster)}/${cluster}`) as
  { readonly spec: { readonly features?: Record<string, unknown> } } | undefined;

describe('feature sets', () => {
  it('are listed with their features, less what is disabled', async () => {
    await install({ featureSet: core, features: [f('ui')] });
    const listed = (await hub.get(`/clustersets/${set}/featuresets`)).json<{ name: string; features: { name: string }[] }[]>();
    expect(listed.find(({ name }) => name === core)).toEqual({
      name: core, title: `Title of ${core}`, description: 'About it', recommended: true, installed: true,
      requiredFeatures: [f('base')],
      features: expect.arrayContaining([
        { name: f('base'), title: 'base', description: 'About it', recommended: true, installed: true, featureBlock: 'block' },
        { name: f('ui'), title: 'ui', description: 'About it', recommended: false, installed: true, featureBlock: '' },
      ]),
    });
    const ours = listed.find(({ name }) => name === backup)!;
    expect(ours).toMatchObject({ installed: false, requiredFeatures: [] });
    expect(ours.features.map(({ name }) => name)).toEqual([f('stash'), f('velero')]);
    expect(listed.map(({ name }) => name)).not.toContain(f('hidden'));
  });

  it('are installed with what they require and need, as editors send it', async () => {
    const release = { metadata: { name: f('stash') }, spec: { values: { replicas: 2 } } };
    const answer = await install({
      metadata: { resource: {}, release: { name: backup, namespace: 'kubeops' } },
      resources: { [`helmToolkitFluxcdIoHelmRelease_${f('stash').replaceAll('-', '_')}`]: release },
    });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(await wanted()).toEqual({
      [f('stash')]: { featureSet: backup, chart, values: { replicas: 2 } }, [f('base')]: { featureSet: core, chart },
    });
  });

  it('are installed again with other features, which drops the former ones', async () => {
    await install({ featureSet: backup, features: [f('velero')] });
    for (let time = 0; time < 2; time += 1) {
      expect(outcome(await install({ featureSet: backup, features: [f('stash')] }))).toBe('200');
      expect(Object.keys(await wanted()).sort()).toEqual([f('base'), f('stash')]);
    }
  });

  it('are installed by many at once without losing one', async () => {
    const answers = await Promise.all([
      install({ featureSet: core, features: [f('ui')] }), install({ featureSet: backup, features: [f('velero')] }),
    ]);
    expect(answers.map(outcome)).toEqual(['200', '200']);
    expect(Object.keys(await wanted()).sort()).toEqual([f('base'), f('ui'), f('velero')]);
  });

  it('are disabled, unless a feature that stays needs them', async () => {
    await install({ featureSet: backup, features: [f('stash')] });
    expect(outcome(await disable(core, [f('base')]))).toBe('400 feature_required');
    expect(outcome(await disable(backup, [f('velero')]))).toBe('200');
    expect(Object.keys(await wanted()).sort()).toEqual([f('base'), f('stash')]);
    expect([outcome(await disable(backup)), outcome(await disable(core)), await wanted()]).toEqual(['200', '200', {}]);
  });

  it.each<[string, () => unknown, string]>([
    ['no feature set', () => ({}), '422 validation_failed'], ['a list', () => [], '422 validation_failed'],
    ['an entry without a name', () => ({
      metadata: { release: { name: backup } }, resources: { helmToolkitFluxcdIoHelmRelease_a: {} },
    }), '422 validation_failed'],
    ['an unknown feature set', () => ({ featureSet: 'nowhere' }), '400 invalid_value'],
    ['a disabled feature set', () => ({ featureSet: f('hidden') }), '400 invalid_value'],
    ['an unknown feature', () => ({ featureSet: backup, features: ['nowhere'] }), '400 invalid_value'],
    ['a disabled feature', () => ({ featureSet: backup, features: [f('tape')] }), '400 invalid_value'],
    ['a feature of another set', () => ({ featureSet: backup, features: [f('ui')] }), '400 invalid_value'],
    ['features that exclude each other', () => ({ featureSet: backup, features: [f('stash'), f('velero')] }), '400 invalid_value'],
    ['more than a hub stores', () => ({
      featureSet: backup, features: [f('velero')], values: { [f('velero')]: { text: 'x'.repeat(1_600_000) } },
    }), '413 body_too_large'],
  ])('are not installed with %s', async (_, body, expected) => {
    expect([outcome(await install(body())), await wanted()]).toEqual([expected, {}]);
    expect(outcome(await update(spokes[0]!, body()))).toBe(expected);
    expect(await bindingOf(spokes[0]!)).toBeUndefined();
  });

  it('are not disabled with a body that does not fit', async () => {
    const path = `/clustersets/${set}/disable-featureset`;
    expect(outcome(await hub.post(path, { clusterSet: 'other', featureSet: core }))).toBe('400 invalid_value');
    expect(outcome(await hub.post(path, { clusterSet: set }))).toBe('422 validation_failed');
    expect(outcome(await disable(''))).toBe('422 validation_failed');
    expect(outcome(await disable('nowhere'))).toBe('400 invalid_value');
  });

  it('are updated for one cluster of the set', async () => {
    await install({ featureSet: core });
    const [one] = spokes;
    const values = { [f('velero')]: { a: 1 } };
    expect(outcome(await update(one!, { featureSet: backup, features: [f('velero')], values }))).toBe('200');
    expect((await bindingOf(one!))!.spec).toMatchObject({
      profileRef: { name: set }, clusterMetadata: { name: one },
      features: { [f('velero')]: { featureSet: backup, chart, values: { a: 1 } } },
    });
    expect(Object.keys((await bindingOf(one!))!.spec.features!)).toEqual([f('velero')]);
    expect(outcome(await update('cluster1', { featureSet: backup }))).toBe('404 not_found');
    expect(outcome(await update('nowhere', { featureSet: backup }))).toBe('404 not_found');
    // When a cluster leaves the set, its binding is deleted.
    await hub.post('/clustersets/remove', { clusterSet: set, clusters: [one] });
    expect(await bindingOf(one!)).toBeUndefined();
  });
});

describe('the sync status', () => {
  it('shows each cluster of each feature, and what single clusters have', async () => {
    await install({ featureSet: core });
    const [one, two] = spokes;
    await carryOut(hub.api, set, one!);
    await update(two!, { featureSet: backup, features: [f('velero')] });
    const all = (await hub.get(`/clustersets/${set}/sync-status/all-features`)).json<Record<string, unknown>>();
    expect(all).toEqual({
      [core]: { [f('base')]: { insyncClusters: [one], outOfSyncClusters: [two], unalignedClusters: [] } },
      [backup]: { [f('velero')]: { insyncClusters: [one], outOfSyncClusters: [two], unalignedClusters: [two] } },
    });
    const base = async () => (await hub.get(`/clustersets/${set}/sync-status/${f('base')}`)).json();
    expect(await base()).toEqual({ insyncClusters: [one], outOfSyncClusters: [two] });
    await carryOut(hub.api, set, two!);
    expect(await base()).toEqual({ insyncClusters: spokes, outOfSyncClusters: [] });
    expect(outcome(await hub.get(`/clustersets/${set}/sync-status/${f('velero')}`))).toBe('404 not_found');
    expect(outcome(await hub.get(`/clustersets/${set}/sync-status/constructor`))).toBe('404 not_found');
  });
});

describe('the version of the features', () => {
  const version = async () => (await hub.get(`/clustersets/${set}/sync-status/opscenter-features-version`)).json();
  const check = async () => (await hub.get(`/clustersets/${set}/auto-update/check`)).json();
  const start = () => hub.post(`/clustersets/${set}/auto-update`);

  it('is updated once all clusters have the one of the set', async () => {
    expect(await check()).toEqual({ possible: false });
    expect(outcome(await start())).toBe('400 auto_update_not_possible');
    const features = { 'opscenter-features': { featureSet: core, chart } };
    await make(hub.api, paths.profiles, 'ManagedClusterSetProfile', set, { features });
    const [one, two] = spokes;
    await carryOut(hub.api, set, one!, 'v1');
    expect(await version()).toEqual({
      clusterSetVersion: 'v1', clusters: [{ name: one, version: 'v1' }, { name: two, version: '' }],
    });
    expect([await check(), outcome(await start())]).toEqual([{ possible: false }, '400 auto_update_not_possible']);
    await carryOut(hub.api, set, two!, 'v1');
    expect([await check(), outcome(await start())]).toEqual([{ possible: true }, '200']);
    expect(await wanted()).toEqual({ 'opscenter-features': { featureSet: core, chart: { ...chart, version: 'v2' } } });
    // The update runs until all clusters have the version, so a second one changes nothing.
    const before = await hub.find(`${paths.profiles}/${set}`);
    expect([outcome(await start()), await hub.find(`${paths.profiles}/${set}`)]).toEqual(['200', before]);
    expect(await check()).toEqual({ possible: false });
  });

  it('is empty for a set that wants none', async () => {
    set = await hub.set();
    expect([await version(), await check()]).toEqual([{ clusterSetVersion: '', clusters: [] }, { possible: true }]);
  });
});
