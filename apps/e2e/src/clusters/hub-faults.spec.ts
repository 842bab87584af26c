import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type TcpProxy, tcpProxy, until } from '@platform/testing';
import { outcome, type PeopledOrganization } from '../orgs/world.ts';
import { type AnsweringHub, answeringHub, type CannedAnswer } from './answering-hub.ts';
import { expiringKubeconfig } from './expiring-kubeconfig.ts';
import { type HubWorld, paths, startHubWorld } from './hub-world.ts';
import { bindProfile, makeFeatureSet } from './own-hub.ts';

let hub: HubWorld;
let proxy: TcpProxy;
let other: AnsweringHub;
let path: string;
/** Kubeconfig of the hub through the proxy. */
let kubeconfig: string;
/** The organization that has imported the same hub through the proxy. */
let globex: PeopledOrganization;

beforeAll(async () => {
  hub = await startHubWorld();
  const { clusters: [{ cluster }] } = JSON.parse(hub.hubKubeconfig) as { clusters: [{ cluster: { server: string } }] };
  proxy = await tcpProxy(cluster.server);
  other = await answeringHub();
  kubeconfig = hub.hubKubeconfig.replace(cluster.server, `https://${proxy.address}`);
  globex = await hub.world.organizationWith(0);
  await hub.importHub(globex.organization.username, 'hub', kubeconfig);
  path = `/api/v1/clusters/${globex.organization.username}/hub`;
}, 180_000);
afterAll(async () => {
  for (const one of [other, hub]) await one?.[Symbol.asyncDispose]();
});
afterEach(undisturbed);

const read = (where = '/clustersets') => globex.boss.http.get(path + where, { within: 30_000 });
const post = (where: string, json: unknown) => globex.boss.http.post(path + where, { json, within: 30_000 });

/** From now on the other server answers; requests that it does not answer go to the hub. */
function divert(answer: NonNullable<AnsweringHub['answer']>): void {
  other.answer = answer;
  proxy.divert(other.address);
}

/** Ends every disturbance. The platform may have paused calls of the hub, so wait until it calls the hub again. */
async function undisturbed(): Promise<void> {
  other.answer = undefined;
  await proxy.release();
  await until(async () => outcome(await read()) === '200', { within: 30_000, what: 'the hub is used again' });
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
    ['a longer list than is read', { status: 200, body: `{"items":[]${' '.repeat(33 * 1_024 * 1_024)}}` }, '502 bad_upstream'],
    ['a list without an end', { status: 200, body: '{"items":[],"metadata":{"continue":"more"}}' }, '502 bad_upstream'],
    ['429', { status: 429, headers: { 'retry-after': '7' }, body: '{}' }, '503 unavailable'],
    ['503', { status: 503, body: '{}' }, '503 unavailable'],
  ])('%s', async (_, canned, expected) => {
    divert(() => canned);
    const answer = await read();
    expect(outcome(answer)).toBe(expected);
    expect(answer.text).not.toContain('secret');
    if (expected.startsWith('503')) expect(answer.header('retry-after')).toBe(canned.headers?.['retry-after'] ?? '1');
  });

  it.each([
    // The refusal of the webhook of Open Cluster Management's registration.
    ['create managedclustersets/join of cluster.open-cluster-management.io', 'admission webhook "managedclustervalidators" '
      + 'denied the request: managedclustersets/join.cluster.open-cluster-management.io "any" is forbidden: '
      + 'user "spec" cannot add/remove a ManagedCluster to/from ManagedClusterSet "any"'],
    // The refusal by the hub's API server.
    ['update managedclusters of cluster.open-cluster-management.io', 'managedclusters "any" is forbidden: User "spec" '
      + 'cannot update resource "managedclusters" in API group "cluster.open-cluster-management.io" at the cluster scope'],
  ])('403 because of a right that its kubeconfig lacks, which is named: %s', async (right, message) => {
    divert(() => ({ status: 403, body: JSON.stringify({ kind: 'Status', code: 403, reason: 'Forbidden', message }) }));
    const answer = await read();
    expect([outcome(answer), answer.json<{ message: string }>().message]).toEqual([
      '502 bad_upstream', expect.stringContaining(`may not ${right};`),
    ]);
  });

  it('a redirect, which is not followed', async () => {
    const asked: string[] = [];
    divert((_, where) => {
      asked.push(where);
      if (where.includes('redirected')) return undefined;
      return { status: 307, headers: { location: `https://${other.address}${where}&redirected=1` } };
    });
    expect(outcome(await read())).toBe('502 bad_upstream');
    expect(asked.filter((where) => where.includes('redirected'))).toEqual([]);
  });

  it('invalid objects, in any of their fields', async () => {
    const set = await hub.set(...await hub.spokes(1));
    await makeFeatureSet(hub.api, `${hub.prefix}-odd`, []);
    const wrong: Readonly<Record<string, unknown>>[] = [
      ...[7, null, 'text', [], { clusterSelector: 7 }, { clusterSelector: { labelSelector: { matchExpressions: [{}] } } },
        { managedClusterClientConfigs: 'none' }, { clusterSet: {} }, { requiredFeatures: {} }, { features: [] },
        { features: { a: null } }, { profileRef: null }].map((spec) => ({ spec })),
      ...[7, null, { conditions: {} }, { conditions: [null] }, { clusterClaims: [{}] }, { version: 1 }, { phase: {} }]
        .map((status) => ({ status })),
      ...[null, { name: set, labels: 'a' }, { name: set, annotations: { a: 1 } }, { name: 7 }, { name: set, namespace: {} }]
        .map((metadata) => ({ metadata })),
    ];
    const reads = ['/clustersets', '/available-clusters', '/bound-namespaces', ...[
      'clusters', 'featuresets', 'sync-status/all-features', 'auto-update/check',
    ].map((one) => `/clustersets/${set}/${one}`)];
    proxy.divert(other.address);
    for (const fields of wrong) {
      const object = { metadata: { name: set }, ...fields };
      other.answer = (_, where) =>
        ({ status: 200, body: JSON.stringify(where.includes('limit=') ? { items: [object] } : object) });
      for (const where of reads) {
        expect([fields, where, outcome(await read(where))]).toEqual([fields, where, expect.stringMatching(/^200$|^404 |^502 /)]);
      }
    }
  }, 60_000);

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
    expect(outcome(await post(`/clustersets/${set}/${spoke}/update-featureset`, { featureSet }))).toBe('409 conflict');
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
    await undisturbed();
    expect(outcome(await post('/clustersets/add', { clusterSet: set, clusters: [spoke] }))).toBe('200');
    expect(await hub.setOf(spoke!)).toBe(set);
  });

  it('changes with a conflict: a set is created without its clusters, until a repetition adds them', async () => {
    const [spoke] = await hub.spokes(1);
    const body = { clusterSet: `${hub.prefix}-cut`, clusters: [spoke] };
    const create = () => post('/clustersets/create', body);
    divert((method) => (method === 'PATCH' ? { status: 409, body: '{}' } : undefined));
    expect([outcome(await create()), await hub.setOf(spoke!)]).toEqual(['409 conflict', 'default']);
    await undisturbed();
    expect(outcome(await post('/clustersets/create', { ...body, clusters: [] }))).toBe('409 already_exists');
    expect([outcome(await create()), await hub.setOf(spoke!)]).toEqual(['200', body.clusterSet]);
    expect(outcome(await create())).toBe('409 already_exists');
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
    await bindProfile(hub.api, former, spoke!);
    divert((method, url) => (method !== 'GET' && url.includes('bindings/') ? { status: 409, body: '{}' } : undefined));
    const add = () => post('/clustersets/add', { clusterSet: set, clusters: [spoke] });
    const remove = () => post('/clustersets/delete', { clusterSet: former });
    expect([outcome(await add()), outcome(await remove())]).toEqual(['409 conflict', '409 conflict']);
    await undisturbed();
    expect([outcome(await add()), outcome(await remove())]).toEqual(['200', '200']);
    expect(await hub.find(`${paths.profileBindings(spoke!)}/${spoke}`)).toBeUndefined();
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

it('the import of a hub names the right that its kubeconfig lacks', async () => {
  const { organization } = await hub.world.organizationWith(0);
  const weak = await expiringKubeconfig(hub, 60_000, 'system:discovery');
  await expect(hub.importHub(organization.username, 'weak', weak)).rejects.toMatchObject({
    reason: 'BAD_UPSTREAM', message: expect.stringMatching(/may not (get namespaces in namespace kube-system|list nodes);/),
  });
});

it('a hub that moves to another owner before it has answered is not changed', async () => {
  const [from, to] = [await hub.world.organizationWith(0), await hub.world.organizationWith(0)];
  const owner = from.organization.username;
  await hub.importHub(owner, 'hub', kubeconfig);
  const [spoke] = await hub.spokes(1);
  const set = await hub.set();
  const asked: string[] = [];
  const moved = Promise.withResolvers<undefined>();
  divert((method) => {
    asked.push(method);
    return method === 'GET' ? moved.promise : undefined;
  });
  const json = { clusterSet: set, clusters: [spoke] };
  const adding = from.boss.http.post(`/api/v1/clusters/${owner}/hub/clustersets/add`, { json, within: 30_000 });
  await until(() => asked.length > 0, { within: 20_000, what: 'the hub is asked' });
  await hub.moveCluster(owner, to.organization.id);
  moved.resolve(undefined);
  expect(outcome(await adding)).toBe('404 not_found');
  expect([...new Set(asked)]).toEqual(['GET']);
}, 60_000);

describe('a hub that is disturbed', () => {
  it('answers 504 when it is slow, and others are not slowed down', async () => {
    proxy.hold();
    const slow = read();
    expect([outcome(await hub.get('/clustersets')), outcome(await slow)]).toEqual(['200', '504 deadline_exceeded']);
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
