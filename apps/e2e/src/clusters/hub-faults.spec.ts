import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type TcpProxy, tcpProxy, until } from '@platform/testing';
import { outcome, type PeopledOrganization } from '../orgs/world.ts';
import { type AnsweringHub, answeringHub, type CannedAnswer } from './answering-hub.ts';
import { expiringKubeconfig } from './expiring-kubeconfig.ts';
import { type HubWorld, paths, startHubWorld, uidOfSpoke } from './hub-world.ts';
import { makeFeatureSet } from './own-hub.ts';

let hub: HubWorld;
let proxy: TcpProxy;
let other: AnsweringHub;
let path: string;
/** Who has imported the same hub through the proxy. */
let globex: PeopledOrganization;

beforeAll(async () => {
  hub = await startHubWorld();
  const { clusters: [{ cluster }] } = JSON.parse(hub.hubKubeconfig) as { clusters: [{ cluster: { server: string } }] };
  proxy = await tcpProxy(cluster.server);
  other = await answeringHub();
  const kubeconfig = hub.hubKubeconfig.replace(cluster.server, `https://${proxy.address}`);
  globex = await hub.world.organizationWith(0);
  await hub.importHub(globex.organization.username, 'hub', kubeconfig);
  path = `/api/v1/clusters/${globex.organization.username}/hub`;
}, 180_000);
afterAll(async () => {
  await other?.[Symbol.asyncDispose]();
  await hub?.[Symbol.asyncDispose]();
});
afterEach(async () => {
  other.answer = undefined;
  await proxy.release();
});

const read = (where = '/clustersets') => globex.boss.http.get(path + where, { within: 30_000 });
const post = (where: string, json: unknown) => globex.boss.http.post(path + where, { json, within: 30_000 });

/** From now on the other server answers; what it does not answer itself, the hub does. */
function divert(answer: (method: string, path: string) => CannedAnswer | undefined): void {
  other.answer = answer;
  proxy.divert(other.address);
}

describe('a hub that answers', () => {
  it.each<[string, CannedAnswer, string]>([
    ['401', { status: 401, body: '{}' }, '502 bad_upstream'],
    ['403', { status: 403, body: '{"message":"no-secret-of-the-hub"}' }, '502 bad_upstream'],
    ['500', { status: 500, body: '{}' }, '502 bad_upstream'],
    ['no JSON', { status: 200, body: '<html>' }, '502 bad_upstream'],
    ['null', { status: 200, body: 'null' }, '502 bad_upstream'],
    ['a list without items', { status: 200, body: '{}' }, '502 bad_upstream'],
    ['a list of nothing', { status: 200, body: '{"items":[null]}' }, '502 bad_upstream'],
    ['a list of objects without names', { status: 200, body: '{"items":[{"metadata":{}}]}' }, '502 bad_upstream'],
    ['429', { status: 429, headers: { 'retry-after': '7' }, body: '{}' }, '503 unavailable'],
    ['503', { status: 503, body: '{}' }, '503 unavailable'],
  ])('%s', async (_, canned, expected) => {
    divert(() => canned);
    const answer = await read();
    expect(outcome(answer)).toBe(expected);
    expect(answer.text).not.toContain('secret');
    if (expected.startsWith('503')) expect(answer.header('retry-after')).toBe(canned.headers?.['retry-after'] ?? '1');
  });

  it('nothing of the definitions that it lacks: lists are empty, and writes refused', async () => {
    const set = await hub.set();
    divert((_, asked) => (asked.includes('appscode.com') ? { status: 404, body: '404 page not found' } : undefined));
    expect((await read(`/clustersets/${set}/featuresets`)).json()).toEqual([]);
    expect((await read(`/clustersets/${set}/sync-status/all-features`)).json()).toEqual({});
    expect(outcome(await post(`/clustersets/${set}/install-featureset`, { featureSet: 'any' }))).toBe('400 invalid_value');
  });

  it('that a cluster has no namespace yet', async () => {
    const [spoke] = await hub.spokes(1);
    const set = await hub.set(spoke!);
    const featureSet = `${hub.prefix}-any`;
    await makeFeatureSet(hub.api, featureSet, []);
    const missing = { kind: 'Status', status: 'Failure', details: { name: spoke, kind: 'namespaces' }, code: 404 };
    divert((method) => (method === 'POST' ? { status: 404, body: JSON.stringify(missing) } : undefined));
    const answer = await post(`/clustersets/${set}/${spoke}/update-featureset`, { featureSet });
    expect(outcome(answer)).toBe('409 conflict');
  });

  it('each write with a conflict, three times', async () => {
    const [spoke] = await hub.spokes(1);
    const set = await hub.set();
    let writes = 0;
    divert((method) => {
      if (method !== 'PATCH') return undefined;
      writes += 1;
      return { status: 409, body: '{}' };
    });
    expect(outcome(await post('/clustersets/add', { clusterSet: set, clusters: [spoke] }))).toBe('409 conflict');
    expect(writes).toBe(3);
    await proxy.release();
    proxy.cut();
    expect(outcome(await post('/clustersets/add', { clusterSet: set, clusters: [spoke] }))).toBe('200');
    expect(await hub.setOf(spoke!)).toBe(set);
  });

  it.each([[409, '502 bad_upstream'], [410, '503 unavailable'], [422, '502 bad_upstream']])(
    'each list with %i', async (status, expected) => {
      divert(() => ({ status, body: '{}' }));
      for (const list of ['/clustersets', '/available-clusters', '/available-clustersets', '/bound-namespaces']) {
        expect([list, outcome(await read(list))]).toEqual([list, expected]);
      }
    },
  );

  it.each([409, 410, 422])('each object with %i', async (status) => {
    divert(() => ({ status, body: '{}' }));
    expect(outcome(await post('/clustersets/add', { clusterSet: 'any', clusters: ['any'] }))).toMatch(/^50[23] /);
    expect(outcome(await post('/clustersets/delete', { clusterSet: 'any' }))).toBe('502 bad_upstream');
    expect(outcome(await post('/bound-namespaces/bind', { clusterSet: 'any', namespace: 'any' }))).toBe('502 bad_upstream');
    expect(outcome(await post('/bound-namespaces/unbind', { clusterSet: 'any', namespace: 'any' }))).toBe('502 bad_upstream');
  });

  it('the deletion of what refers to a set with a conflict, until a repetition completes it', async () => {
    const [spoke] = await hub.spokes(1);
    const [set, former] = [await hub.set(spoke!), await hub.set()];
    expect(outcome(await post('/bound-namespaces/bind', { clusterSet: former, namespace: 'kube-public' }))).toBe('200');
    const profileBinding = `${paths.profileBindings(spoke!)}/${spoke}`;
    await hub.api.create(paths.profileBindings(spoke!), {
      apiVersion: 'profile.k8s.appscode.com/v1alpha1', kind: 'ManagedClusterProfileBinding', metadata: { name: spoke },
      spec: {
        profileRef: { name: former },
        clusterMetadata: { uid: uidOfSpoke(spoke!), name: spoke, clusterManagers: ['OCMSpoke'] },
      },
    });
    divert((method, asked) => {
      if (method === 'GET') return undefined;
      return { status: /bindings\//.test(asked) ? 409 : 200, body: '{}' };
    });
    const add = () => post('/clustersets/add', { clusterSet: set, clusters: [spoke] });
    const remove = () => post('/clustersets/delete', { clusterSet: former });
    expect([outcome(await add()), outcome(await remove())]).toEqual(['409 conflict', '409 conflict']);
    await proxy.release();
    proxy.cut();
    expect([outcome(await add()), outcome(await remove())]).toEqual(['200', '200']);
    expect(await hub.find(profileBinding)).toBeUndefined();
    expect(await hub.find(`${paths.setBindings('kube-public')}/${former}`)).toBeUndefined();
  });
});

it('a hub whose client certificate has expired answers 502, and is used again when it is imported with another one', async () => {
  const { organization, boss } = await hub.world.organizationWith(0);
  const owner = organization.username;
  const get = () => boss.http.get(`/api/v1/clusters/${owner}/hub/clustersets`, { within: 30_000 });
  await hub.importHub(owner, 'hub', await expiringKubeconfig(hub, 15_000));
  expect(outcome(await get())).toBe('200');
  await until(async () => outcome(await get()) === '502 bad_upstream', { within: 60_000, what: 'the certificate has expired' });
  expect([outcome(await hub.get('/clustersets')), outcome(await read())]).toEqual(['200', '200']);
  await hub.importHub(owner, 'hub');
  expect(outcome(await get())).toBe('200');
}, 120_000);

describe('a hub that is disturbed', () => {
  it('answers 504 when it is slow, and others are not slowed down', async () => {
    proxy.hold();
    const slow = read();
    expect(outcome(await hub.get('/clustersets'))).toBe('200');
    expect(outcome(await slow)).toBe('504 deadline_exceeded');
  }, 30_000);

  it('answers 503 when it is cut in the middle of an answer', async () => {
    proxy.cut();
    proxy.cutAfter(3_000);
    expect(outcome(await read())).toBe('503 unavailable');
  });

  it('answers 503 at once when it is away, and is used again when it is back', async () => {
    await proxy.refuse();
    for (let call = 0; call < 6; call += 1) {
      const answer = await read();
      expect([outcome(answer), Number(answer.header('retry-after')) >= 1]).toEqual(['503 unavailable', true]);
    }
    expect(outcome(await hub.get('/clustersets'))).toBe('200');
    await proxy.release();
    await until(async () => outcome(await read()) === '200', { within: 15_000, what: 'the hub is used again' });
  }, 30_000);

  it('leaves nothing of its credentials in the log', async () => {
    const { users: [{ user }] } = JSON.parse(hub.hubKubeconfig) as { users: [{ user: Record<string, string> }] };
    const log = hub.world.platform.services.clusters.replicas.flatMap(({ log: lines }) => lines).join('\n');
    expect(log).not.toContain(user['client-key-data']!.slice(0, 40));
    expect(log).not.toContain(user['client-key-data']!.slice(100, 140));
  });
});
