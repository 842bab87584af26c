import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Api, openApi } from '@platform/lab';
import { testLab } from '@platform/testing';
import { chart } from './chart-files.ts';
import { scaledByHand } from './hand-scaled.ts';
import { buildMs, type Helm, openHelm, type Rendered } from './helm.ts';
import { merge, openLabRelease } from './lab-release.ts';

const storyMs = 180_000;

let helm: Helm;
let api: Api;
let kubeconfig: string;
let folder: string;
const namespaces: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platform-upgrade-'));
  helm = await openHelm(chart, folder, storyMs);
  ({ hub: { kubeconfig } } = await testLab());
  api = await openApi(kubeconfig);
}, buildMs);
afterAll(async () => {
  await Promise.all(namespaces.map((name) => api.call('DELETE', `/api/v1/namespaces/${name}`)));
  api[Symbol.dispose]();
  await rm(folder, { recursive: true, force: true });
});

/** A release in a new namespace. */
async function releaseIn(namespace: string) {
  namespaces.push(namespace);
  return openLabRelease({ api, kubeconfig, helm }, namespace);
}

it('keeps the pods of services that begin to be scaled', async () => {
  const { apply, podsOf, scale } = await releaseIn('charts-scaled');
  await apply('install', 'workload.replicas=3');
  await apply('upgrade', 'workload.replicas=3', 'workload.autoscaling.enabled=true');
  expect(await podsOf('gateway')).toBe(3);
  await scale('gateway', 5);
  await apply('upgrade', 'workload.autoscaling.enabled=true', 'workload.stopSeconds=21');
  expect(await podsOf('gateway')).toBe(5);
}, storyMs);

it('brings back the numbers of pods of the values after somebody scaled by hand', async () => {
  namespaces.push('charts-by-hand');
  expect(await scaledByHand({ api, kubeconfig, helm }, 'charts-by-hand')).toEqual([]);
}, storyMs);

it('refuses changes of claims that the cluster refuses, names their values, and changes nothing', async () => {
  const { apply, bind, run, versions } = await releaseIn('charts-refused');
  // A claim without a storage class may get a class later.
  const volume = 'files.volume.storageClassName=slow';
  await apply('install', volume);
  await bind();
  const before = await versions();
  expect(before.length).toBeGreaterThan(10);
  const refusals = {
    'files.volume.accessMode=ReadWriteMany': 'is ReadWriteMany, but the claim platform-orgs-teams-files has ReadWriteOnce',
    'files.volume.storageClassName=fast': 'is fast, but the claim platform-orgs-teams-files has slow',
    'files.volume.size=2Gi': 'is 2Gi, but the claim platform-orgs-teams-files has 4Gi',
    // The storage class does not let the claim grow.
    'files.volume.size=5Gi': 'is 5Gi, but the claim platform-orgs-teams-files has 4Gi',
    'postgres.storage=4Gi': 'is 4Gi, but the claim data-platform-postgres-0 has 8Gi',
    'nats.storage=1Gi': 'is 1Gi, but the claim data-platform-nats-0 has 4Gi',
  };
  for (const [value, text] of Object.entries(refusals)) {
    const { written, error } = await run('upgrade', chart, '--set', volume, '--set', value);
    expect([value, error]).toEqual([value, expect.stringContaining('platform-check')]);
    expect(written.join('\n')).toContain(`${value.replace(/=.*/, '')} ${text}`);
  }
  expect(await versions()).toEqual(before);
}, storyMs);

it('lets claims grow whose storage class permits it, and refuses to go back to a smaller one', async () => {
  const storageClass = 'charts-growing';
  const classes = '/apis/storage.k8s.io/v1/storageclasses';
  const metadata = { name: storageClass };
  await api.create(classes, { metadata, provisioner: 'example.com/none', allowVolumeExpansion: true });
  try {
    const { apply, bind, run, sizeOf } = await releaseIn('charts-growing');
    const volume = `files.volume.storageClassName=${storageClass}`;
    await apply('install', volume);
    await bind();
    await apply('upgrade', volume, 'files.volume.size=6Gi');
    expect(await sizeOf('platform-orgs-teams-files')).toBe('6Gi');
    const { written, error } = await run('rollback', '1');
    expect(error).toContain('platform-check');
    expect(written.join('\n')).toContain('files.volume.size is 4Gi, but the claim platform-orgs-teams-files has 6Gi');
  } finally {
    await api.call('DELETE', `${classes}/${storageClass}`);
  }
}, storyMs);

it('keeps what the set-up made over upgrades, and for a release that is installed again', async () => {
  const { apply, core, run } = await releaseIn('charts-kept');
  const state = `${core}/secrets/platform-state`;
  const kept = async () => (await api.call('GET', state) as Rendered).data;
  const made = { 'encryption-key': Buffer.from('made once').toString('base64') };
  const said = await helm.release(kubeconfig, 'install', 'platform', '--namespace', 'charts-kept', chart);
  expect(said).toContain('helm -n charts-kept test platform');
  expect(await kept()).toBeUndefined();
  await api.call('PATCH', state, { data: made }, merge);
  await apply('upgrade', 'services.clusters.replicas=2');
  expect(await kept()).toEqual(made);
  await run('uninstall');
  expect(await kept()).toEqual(made);
  await apply('install');
  expect(await kept()).toEqual(made);
}, storyMs);
