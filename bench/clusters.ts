import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Api, openApi, startLab } from '@platform/lab';
import { closedLoop } from '@platform/testing';
import { paths } from './clusters/paths.ts';
import { compare, print, printKinds, type Side } from './compare.ts';
import type { BenchSize } from './hop.ts';
import { type Launched, launchPlatform } from './launched.ts';
import { start } from './processes.ts';

const size = { clusters: 1_000, sets: 200 };
const connections = 2;
/** Divides the number of requests, because a list of a hub costs much more than other reads. */
const requestsPerRead = 100;
const route = 'GET …/clustersets';
const goals = { [route]: 3 } as const;
const owner = 'bench-hub-owner';

/**
 * Measures `GET /clusters/{owner}/{cluster}/clustersets` of a hub with 1,000 managed clusters and 200 created sets.
 * Compares the CPU time of platform and hub with the CPU time of the hub for the same lists.
 */
export async function benchClusters({ rounds, requests }: BenchSize): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'platform-bench-lab-'));
  try {
    await using lab = await startLab({ home, spokes: 0, environment: process.env, report: () => undefined });
    await using platform = await launchPlatform();
    const { kubeconfig } = lab.hub;
    const token = await importHub(platform, kubeconfig);
    using api = await openApi(kubeconfig);
    await fill(api);
    const lists = await start('clusters/hub-lists.ts', kubeconfig);
    const ofHub = await Promise.all(['etcd', 'hub-api'].map((name) => pidOf(home, name)));
    const load = { requests: Math.ceil(requests / requestsPerRead), connections, expect: 200 };
    const url = `${platform.run.baseUrl}/api/v1/clusters/${owner}/hub/clustersets`;
    const asked = { url, headers: { authorization: `token ${token}` } };
    const sides: Side[] = [
      {
        name: 'the lists of the hub',
        load: {
          ...load, next: () => ({ url: `http://127.0.0.1:${lists.port}/` }), check: (_, body) => checkCounts(body),
        },
        processes: () => ofHub,
      },
      {
        name: route,
        load: { ...load, next: () => asked, check: (_, body) => checkSets(body) },
        processes: () => [...platform.processes(), ...ofHub],
      },
    ];
    const measured = await compare(sides, rounds);
    print(`Cluster sets of a hub with ${size.clusters} clusters and ${size.sets} created sets`, measured, goals);
    printKinds(measured);
    lists.stop();
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Creates the owner and imports the hub. @returns a token of the owner */
async function importHub({ command }: Launched, kubeconfig: string): Promise<string> {
  await command('admin', 'user', 'create', '--username', owner, '--email', `${owner}@example.org`);
  await command('admin', 'cluster', 'import', '--owner', owner, '--name', 'hub', '--kubeconfig', kubeconfig, '--hub');
  return (await command<{ token: string }>('admin', 'token', 'create', '--user', owner, '--name', 'bench')).token;
}

/** Creates the sets, and clusters that are assigned to the sets in turn. */
async function fill(api: Api): Promise<void> {
  const made = async (count: number, make: (index: number) => Promise<void>) => {
    let begun = 0;
    await closedLoop(connections, () => begun < count, () => make(begun++));
  };
  const setOf = (index: number) => `bench-set-${index % size.sets}`;
  await made(size.sets, (index) => api.create(paths.sets, {
    apiVersion: 'cluster.open-cluster-management.io/v1beta2', kind: 'ManagedClusterSet',
    metadata: { name: setOf(index) },
    spec: { clusterSelector: { selectorType: 'ExclusiveClusterSetLabel' } },
  }));
  await made(size.clusters, (index) => api.create(paths.clusters, {
    apiVersion: 'cluster.open-cluster-management.io/v1', kind: 'ManagedCluster',
    metadata: {
      name: `bench-cluster-${index}`, labels: { 'cluster.open-cluster-management.io/clusterset': setOf(index) },
    },
    // No agent renews the lease, so the lease must be long.
    spec: { hubAcceptsClient: true, leaseDurationSeconds: 86_400 },
  }));
}

function checkCounts(body: string): void {
  const [sets, clusters] = JSON.parse(body) as [number, number];
  // A new hub already has two sets.
  if (sets !== size.sets + 2 || clusters !== size.clusters) {
    throw new Error(`the hub has a wrong number of sets (${sets}) or of clusters (${clusters})`);
  }
}

function checkSets(body: string): void {
  type Listed = { readonly clusterSetName: string; readonly clusters: number };
  const counts = new Map((JSON.parse(body) as Listed[]).map((set) => [set.clusterSetName, set.clusters]));
  if (counts.get('bench-set-0') !== size.clusters / size.sets) throw new Error(`answered ${body.slice(0, 500)}`);
}

async function pidOf(home: string, name: string): Promise<number> {
  const kept = JSON.parse(await readFile(join(home, 'processes', `${name}.json`), 'utf8')) as { readonly pid: number };
  return kept.pid;
}
