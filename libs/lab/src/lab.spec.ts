import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { until } from '@platform/testing';
import { openApi } from './api.ts';
import { type Lab, startLab } from './lab.ts';

const home = await mkdtemp(join(tmpdir(), 'platform-lab-'));

afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

function start(): Promise<Lab> {
  return startLab({ home, spokes: 1, environment: process.env, report: () => undefined });
}

const works = '/apis/work.open-cluster-management.io/v1/namespaces/cluster1/manifestworks';

describe('the lab', () => {
  it('runs a hub and a joined spoke, on which work of the hub becomes real, and comes back with its objects', async () => {
    let uids: string[];
    {
      await using lab = await start();
      uids = [lab.hub.uid, lab.spokes[0]!.uid];
      expect(new Set(uids).size).toBe(2);
      using hub = await openApi(lab.hub.kubeconfig);
      using spoke = await openApi(lab.spokes[0]!.kubeconfig);
      const manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'from-the-hub' } };
      await hub.create(works, {
        apiVersion: 'work.open-cluster-management.io/v1',
        kind: 'ManifestWork',
        metadata: { name: 'one' },
        spec: { workload: { manifests: [manifest] } },
      });
      const made = await until(() => spoke.call('GET', '/api/v1/namespaces/from-the-hub'), {
        within: 15_000, what: 'the spoke has the namespace',
      });
      expect(made).toMatchObject({ metadata: { name: 'from-the-hub' } });
    }
    await using again = await start();
    expect([again.hub.uid, again.spokes[0]!.uid]).toEqual(uids);
    using hub = await openApi(again.hub.kubeconfig);
    expect(await hub.call('GET', `${works}/one`)).toMatchObject({ kind: 'ManifestWork' });
  }, 180_000);
});
