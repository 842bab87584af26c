import { spawn } from 'node:child_process';
import { randomUUID, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, openApi } from '@platform/lab';
import {
  repositoryRoot, type ServiceSettings, startService, type StartedService, tcpProxy, type TcpProxy, testLab, until,
} from '@platform/testing';
import { adminHttp } from '../admin-http.ts';
import { bind, day, inSeconds, ok } from '../contracts/contract-world.ts';
import type { Organization, Person } from '../orgs/world.ts';
import { credentialsOf, startUsageWorld, usageHosts, type UsageWorld } from './usage-world.ts';

const product = 'productdb-enterprise';
/** A separate namespace, because other specs use the same cluster. */
const namespace = `agent-${randomUUID().slice(0, 8)}`;

let world: UsageWorld;
let acme: Organization;
let owner: Person;
let api: Api;
let clusterUid: string;
let folder: string;
let toBus: TcpProxy;
let toCluster: TcpProxy;
let settings: ServiceSettings;
let agent: StartedService;
/** UID of a Deployment that does not change. */
let web: string;

/** A custom resource with a group that only this spec uses. */
const custom = { group: `${namespace}.example.org`, version: 'v1', kind: 'Database', plural: 'databases' };
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

beforeAll(async () => {
  const lab = await testLab();
  const [cluster] = lab.spokes;
  clusterUid = cluster!.uid;
  api = await openApi(cluster!.kubeconfig);
  await api.create('/api/v1/namespaces', { metadata: { name: namespace } });
  const { group, version, kind, plural } = custom;
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  await api.create(definitions, {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group, scope: 'Namespaced', names: { kind, plural },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
  world = await startUsageWorld({ hosts: usageHosts });
  owner = await world.person();
  acme = await world.organization(owner, { username: 'acme' });
  folder = await mkdtemp(join(tmpdir(), 'cluster-agent-'));
  const creds = await credentialsOf(world.operator, 'acme', clusterUid, product);
  const kubeconfig = await readFile(cluster!.kubeconfig, 'utf8');
  const [server] = /https:\/\/127\.0\.0\.1:\d+/.exec(kubeconfig)!;
  [toBus, toCluster] = [await tcpProxy(world.bus.access.url), await tcpProxy(server)];
  const file = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text, { mode: 0o640 });
    return path;
  };
  settings = {
    'agent.kubeconfig': await file('kubeconfig', kubeconfig.replace(server, `https://${toCluster.address}`)),
    'agent.creds': await file('member.creds', creds), 'agent.license': await file('licence.pem', await endingLicence()),
    'agent.resources': `${group}/${version}/${kind}`,
    'agent.owner': 'acme', 'agent.product': product, 'agent.state': join(folder, 'state'),
    'agent.token': await world.operator.systemAdminToken('acme'),
    'http.baseURL': world.platform.baseUrl, 'nats.url': `nats://${toBus.address}`,
  };
}, 180_000);
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
  await api?.call('DELETE', `/api/v1/namespaces/${namespace}`);
  await api?.call('DELETE', `${definitions}/${custom.plural}.${custom.group}`);
  api?.[Symbol.dispose]();
  await world?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** A licence that ends soon, while there is another contract to renew it under. */
async function endingLicence(): Promise<string> {
  const issue = async (end: number) => {
    const { id } = await world.contract(acme.id, { products: ['productdb'], end: inSeconds(end) });
    await bind(world.siteAdmin.http, id, [{ cluster: clusterUid }]);
  };
  await issue(240);
  const answer = await owner.http.post('/api/v1/license/issue?org=acme', { json: { cluster: clusterUid } });
  await issue(30 * day);
  return Buffer.from(ok<{ license: string }>(answer).license, 'base64').toString();
}

async function licenceId(): Promise<string> {
  const { serialNumber } = new X509Certificate(await readFile(settings['agent.license']!));
  return BigInt(`0x${serialNumber}`).toString();
}

const container = (cpu: string, memory: string) =>
  ({ name: 'main', image: 'none', resources: { limits: { cpu, memory } } });
const pathOf = (plural: string, name = '') => `/apis/apps/v1/namespaces/${namespace}/${plural}${name && `/${name}`}`;

/** Creates a Deployment or StatefulSet and returns its UID. */
async function create(
  plural: string, name: string, replicas: number, cpu: string, memory: string, more: object = {},
): Promise<string> {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [container(cpu, memory)] } };
  const created = await api.call('POST', pathOf(plural), {
    metadata: { name }, spec: { replicas, selector: { matchLabels: labels }, template, ...more },
  }) as { metadata: { uid: string } };
  return created.metadata.uid;
}

const scale = (name: string, replicas: number) =>
  api.call('PATCH', pathOf('deployments', name), { spec: { replicas } }, 'application/merge-patch+json');

type Entry = Readonly<{ event: string } & Record<'cpu' | 'memory' | 'storage' | 'replicas', number>>;

/** The history of an object as `event cpu memory storage replicas`; empty before the first event. */
async function history(uid: string): Promise<string[]> {
  const path = `/api/v1/dashboard/summary/object-quota-history/clusters/${clusterUid}/objects/${uid}`;
  const answer = await world.siteAdmin.http.get(`${path}?org=acme`);
  if (answer.status === 404) return [];
  return ok<{ history: readonly Entry[] }>(answer).history.map(({ event, cpu, memory, storage, replicas }) =>
    [event, cpu, memory, storage, replicas].join(' '));
}

async function untilHistory(uid: string, ...expected: string[]): Promise<void> {
  let shown: readonly string[] = [];
  await until(async () => {
    shown = await history(uid);
    return shown.length >= expected.length;
  }, { within: 60_000, what: `the history of ${uid} has ${expected.length} entries` });
  expect(shown).toEqual(expected);
}

describe('the agent of a cluster', () => {
  it('reports what the cluster runs, under a licence that it renews', async () => {
    const before = await licenceId();
    web = await create('deployments', 'web', 3, '200m', '1Gi');
    agent = await startService('cluster-agent', settings, { ownProcess: 'killed' });
    await until(async () => (await history(web))[0] === 'created 0.6 3 0 3', { within: 60_000, what: 'web is shown' });
    await until(async () => (await licenceId()) !== before, { within: 30_000, what: 'the licence is renewed' });
    const { validTo } = new X509Certificate(await readFile(settings['agent.license']!));
    expect(Math.abs(Date.parse(validTo) / 1_000 - inSeconds(7 * day))).toBeLessThan(300);
    expect((await stat(settings['agent.license']!)).mode & 0o777).toBe(0o640);
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } };
    const db = await create('statefulsets', 'db', 2, '1500m', '512Mi', {
      serviceName: 'db', volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
    });
    await untilHistory(db, 'created 3 1 20 2');
    const month = new Date().toISOString().slice(0, 7).replace('-', '/');
    const view = `/api/v1/dashboard/summary/${month}/usage-report/products/productdb/views/objects-usage-view?org=acme`;
    const rows = await until(async () => {
      const answer = await world.siteAdmin.http.get(view);
      if (answer.status !== 200) return false;
      const own = answer.json<{ rows: { namespace: string; kind: string; name: string; usage: { cpu: number } }[] }>()
        .rows.filter((row) => row.namespace === namespace);
      return own.length === 2 && own.every(({ usage }) => usage.cpu > 0) && own;
    }, { within: 60_000, what: 'the view shows the use' });
    expect(rows.map(({ kind, name }) => `${kind} ${name}`).toSorted()).toEqual(['Deployment web', 'StatefulSet db']);
  }, 150_000);

  it('reports a kind of the cluster that it was told to report', async () => {
    const { group, version, plural } = custom;
    const template = { spec: { containers: [container('250m', '1Gi')] } };
    const path = `/apis/${group}/${version}/namespaces/${namespace}/${plural}`;
    const body = { apiVersion: `${group}/${version}`, kind: custom.kind, metadata: { name: 'orders' } };
    type Created = { metadata: { uid: string } };
    const { metadata: { uid } } = await api.call('POST', path, { ...body, spec: { replicas: 2, template } }) as Created;
    await untilHistory(uid, 'created 0.5 2 0 2');
    await api.call('PATCH', `${path}/orders`, { spec: { replicas: 4 } }, 'application/merge-patch+json');
    await untilHistory(uid, 'created 0.5 2 0 2', 'updated 1 4 0 4');
  }, 120_000);

  it('reports changes and deletions', async () => {
    const uid = await create('deployments', 'shop', 1, '1', '2Gi');
    await untilHistory(uid, 'created 1 2 0 1');
    await scale('shop', 4);
    await untilHistory(uid, 'created 1 2 0 1', 'updated 4 8 0 4');
    await api.call('DELETE', pathOf('deployments', 'shop'));
    await untilHistory(uid, 'created 1 2 0 1', 'updated 4 8 0 4', 'deleted 0 0 0 0');
  }, 120_000);

  it('hears what changed while its API server was away', async () => {
    const uid = await create('deployments', 'cut', 1, '1', '1Gi');
    await untilHistory(uid, 'created 1 1 0 1');
    await toCluster.refuse();
    await scale('cut', 2);
    await toCluster.release();
    await untilHistory(uid, 'created 1 1 0 1', 'updated 2 2 0 2');
  }, 120_000);

  it('keeps what the bus does not take, over a kill too, and notices what went meanwhile', async () => {
    const gone = await create('deployments', 'gone', 1, '1', '1Gi');
    await untilHistory(gone, 'created 1 1 0 1');
    await toBus.refuse();
    const kept = await create('deployments', 'kept', 2, '1', '1Gi');
    const admin = adminHttp(agent.addresses['admin']!);
    const isQueued = /^agent_queued_events(?:\{.*\})? [1-9]/m;
    const hasQueued = async () => isQueued.test((await admin.get('/metrics')).text);
    await until(hasQueued, { within: 30_000, what: 'the event is queued' });
    await agent.replicas[0].kill();
    await Promise.all([api.call('DELETE', pathOf('deployments', 'gone')), scale('kept', 5)]);
    await agent.replicas[0].restart();
    await toBus.release();
    await untilHistory(kept, 'created 2 2 0 2', 'updated 5 5 0 5');
    await untilHistory(gone, 'created 1 1 0 1', 'deleted 0 0 0 0');
    expect(await history(kept)).toHaveLength(2);
  }, 150_000);

  it('answers for its resources, and reports the site', async () => {
    const id = await licenceId();
    const base = `/api/v1/dashboard/users/${acme.id}/clusters/${clusterUid}/licenses/${id}`;
    const get = (path: string) => world.siteAdmin.http.get(`${base}${path}org=administration`);
    const resources = `/products/${product}/resources?group=apps&`;
    const { items } = await until(async () => {
      const answer = await get(resources);
      return answer.status === 200 && answer.json<{ items: { key: string; values: object[] }[] }>();
    }, { within: 60_000, what: 'the agent answers' });
    expect(items.some(({ key }) => /^apps\/statefulsets\/[0-9a-f-]{36}$/.test(key))).toBe(true);
    expect(items.find(({ key }) => key === `apps/deployments/${web}`)?.values).toMatchObject([{
      resourceID: { group: 'apps', version: 'v1', name: 'deployments', kind: 'Deployment', scope: 'Namespaced' },
      licenseID: id,
    }]);
    const site = await until(async () => {
      const answer = await get('?');
      const { siteinfo } = answer.json<{ siteinfo?: Record<string, unknown> }>();
      return siteinfo?.['kind'] === 'SiteInfo' && siteinfo;
    }, { within: 60_000, what: 'the site is shown' });
    // The licence was renewed, but the renewal did not report an existing object as changed.
    expect(await history(web)).toEqual(['created 0.6 3 0 3']);
    expect(site).toMatchObject({
      metadata: { name: `${id}.${product}` },
      product: { licenseID: id, productOwnerName: 'acme', productOwnerUID: String(acme.id), productName: product },
      kubernetes: {
        cluster: { uid: clusterUid }, version: { gitVersion: expect.stringMatching(/^v1\./) },
        controlPlane: { ipAddresses: expect.arrayContaining(['127.0.0.1']) },
        nodeStats: { count: 0, capacity: { cpu: '0', memory: '0' } }, storageProvisioners: [],
      },
    });
  }, 120_000);

  it('logs no credential', async () => {
    const log = agent.replicas[0].log.join('\n');
    const [seed] = /SU[A-Z0-9]{56}/.exec(await readFile(settings['agent.creds']!, 'utf8'))!;
    const [, key] = /client-key-data"?: ?"?([^"\s]+)/.exec(await readFile(settings['agent.kubeconfig']!, 'utf8'))!;
    expect(log).toContain('ready');
    for (const secret of [seed, key!, settings['agent.token']!]) expect(log).not.toContain(secret);
  });

  it('is run by `platform agent`, which makes a token for it', async () => {
    const { grpc, serviceCredential, baseUrl } = world.platform;
    const home = join(folder, 'home');
    const named = (setting: 'kubeconfig' | 'creds' | 'license') => [`--${setting}`, settings[`agent.${setting}`]!];
    const files = [...named('kubeconfig'), ...named('creds'), ...named('license')];
    const main = join(repositoryRoot, 'apps/platform/src/main.ts');
    const argv = [main, 'agent', ...files, '--owner', 'acme', '--product', product, '--json'];
    const child = spawn(process.execPath, argv, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        PATH: process.env['PATH'], PLATFORM_HOME: home, PLATFORM_NATS_URL: settings['nats.url'],
        PLATFORM_SERVER: grpc['orgs-teams'], PLATFORM_TOKEN: serviceCredential, PLATFORM_HTTP_BASE_URL: baseUrl,
      },
    });
    const exited = once(child, 'exit');
    const lines: string[] = [];
    createInterface({ input: child.stdout! }).on('line', (line) => lines.push(line));
    await until(() => lines.length > 0 || child.exitCode !== null, { within: 60_000, what: 'the agent runs' });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([{ owner: 'acme', clusterUid, product }]);
    const token = join(home, 'agents', `${clusterUid}.${product}`, 'token');
    expect((await stat(token)).mode & 0o777).toBe(0o600);
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  }, 90_000);

  it('does not start with the credentials of another cluster', async () => {
    const other = randomUUID();
    const path = join(folder, 'other.creds');
    await writeFile(path, await credentialsOf(world.operator, 'acme', other, product));
    await expect(startService('cluster-agent', { ...settings, 'agent.creds': path }))
      .rejects.toThrow(`agent.creds belongs to the cluster ${other}`);
  });

  it.each([
    ['of another product', { 'agent.product': 'productvault' }, 'agent.creds belongs to the product'],
    ['for an invalid kind', { 'agent.resources': 'Postgres' }, 'GROUP/VERSION/KIND'],
    ['on the state of one that runs', {}, 'locked'],
  ])('does not start %s', async (_, other, message) => {
    await expect(startService('cluster-agent', { ...settings, ...other })).rejects.toThrow(message);
  });
});
