import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Api, openApi } from '@platform/lab';
import { testLab } from '@platform/testing';
import { chart } from './chart-files.ts';
import { buildMs, type Helm, openHelm, type Rendered } from './helm.ts';
import { type HookRun, runHooks } from './run-hooks.ts';

const merge = 'application/merge-patch+json';
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

/** The release `platform` in a new namespace: the lab does not end claims, so a name is used once. */
async function releaseIn(namespace: string) {
  await api.create('/api/v1/namespaces', { metadata: { name: namespace } });
  namespaces.push(namespace);
  const core = `/api/v1/namespaces/${namespace}`;
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  /** Runs a command of helm, and its hooks. */
  const run = (command: string, ...args: readonly string[]): Promise<HookRun> => {
    return runHooks(api, kubeconfig, namespace, helm.release(kubeconfig, command, 'platform', '--namespace', namespace, ...args));
  };
  return {
    core,
    gateway: `${deployments}/platform-gateway`,
    run,
    /** Installs or upgrades with values; fails when helm does. */
    apply: async (command: 'install' | 'upgrade', ...set: readonly string[]): Promise<void> => {
      const { written, error } = await run(command, chart, '--set', ['image.repository=x', ...set].join(','));
      if (error !== undefined) throw new Error([error, ...written].join('\n'));
    },
    /** Marks claims as bound: they cannot grow before. */
    bind: async (): Promise<void> => {
      for (const { metadata, spec } of await list<Claim>(`${core}/persistentvolumeclaims`)) {
        const path = `${core}/persistentvolumeclaims/${metadata.name}`;
        const status = { phase: 'Bound', capacity: spec.resources.requests };
        await api.call('PATCH', path, { spec: { volumeName: `${namespace}-${metadata.name}` } }, merge);
        await api.call('PATCH', `${path}/status`, { status }, merge);
      }
    },
    sizeOf: async (claim: string): Promise<string> => {
      const { spec } = await api.call('GET', `${core}/persistentvolumeclaims/${claim}`) as Claim;
      return spec.resources.requests['storage']!;
    },
    /** The versions of objects that an upgrade changes. */
    versions: async (): Promise<readonly string[]> => {
      const paths = [deployments, `${core}/persistentvolumeclaims`, `${core}/configmaps`];
      const items = (await Promise.all(paths.map(list<Rendered & { metadata: { resourceVersion: string } }>))).flat();
      return items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`)
        .filter((text) => !text.startsWith('platform-check '));
    },
  };
}

interface Claim {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly resources: { readonly requests: Readonly<Record<string, string>> } };
}

async function list<Item>(path: string): Promise<readonly Item[]> {
  return (await api.call('GET', path) as { items: readonly Item[] }).items;
}

it('keeps the pods of services that begin to be scaled', async () => {
  const { apply, gateway } = await releaseIn('charts-scaled');
  const replicas = async (): Promise<unknown> => {
    return (await api.call('GET', gateway) as { spec: { replicas: number } }).spec.replicas;
  };
  await apply('install', 'workload.replicas=3');
  await apply('upgrade', 'workload.replicas=3', 'workload.autoscaling.enabled=true');
  expect(await replicas()).toBe(3);
  await api.call('PATCH', `${gateway}/scale`, { spec: { replicas: 5 } }, merge);
  await apply('upgrade', 'workload.autoscaling.enabled=true', 'workload.stopSeconds=21');
  expect(await replicas()).toBe(5);
}, storyMs);

it('refuses changes of claims that the cluster refuses, names their values, and changes nothing', async () => {
  const { apply, bind, run, versions } = await releaseIn('charts-refused');
  // A claim without a class may get one later.
  const volume = 'files.volume.storageClassName=slow';
  await apply('install', volume);
  await bind();
  const before = await versions();
  expect(before.length).toBeGreaterThan(10);
  const refusals = {
    'files.volume.accessMode=ReadWriteMany': 'is ReadWriteMany, but the claim platform-orgs-teams-files has ReadWriteOnce',
    'files.volume.storageClassName=fast': 'is fast, but the claim platform-orgs-teams-files has slow',
    'files.volume.size=2Gi': 'is 2Gi, but the claim platform-orgs-teams-files has 4Gi',
    // The class of the claim does not let it grow.
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
  await api.create(classes, {
    metadata: { name: storageClass }, provisioner: 'example.com/none', allowVolumeExpansion: true,
  });
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
  const kept = async (): Promise<unknown> => (await api.call('GET', state) as Rendered).data;
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
