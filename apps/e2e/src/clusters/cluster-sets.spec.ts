import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, sql } from '@platform/postgres';
import { until } from '@platform/testing';
import { outcome } from '../orgs/world.ts';
import { type HubWorld, make, merge, paths, startHubWorld, uidOfSpoke } from './hub-world.ts';
import { makeSet } from './own-hub.ts';

let hub: HubWorld;
beforeAll(async () => {
  hub = await startHubWorld();
}, 180_000);
afterAll(async () => hub?.[Symbol.asyncDispose]());

interface ListedSet {
  readonly clusterSetName: string;
  readonly clusterSetTitle: string;
  readonly clusters: number;
}

const sets = async () => (await hub.get('/clustersets')).json<ListedSet[]>();
/** Outcomes of a change of a set or a binding, and of reading. */
const change = async (verb: string, options: unknown) => outcome(await hub.post(`/clustersets/${verb}`, options));
const binding = async (verb: string, options: unknown) => outcome(await hub.post(`/bound-namespaces/${verb}`, options));
const got = async (path: string) => outcome(await hub.get(path));
const names = async (path: string) => (await hub.get(path)).json<string[]>();

describe('hubs', () => {
  it('are imported with what they say about themselves, and get the definitions they lack', async () => {
    expect(await hub.listed(hub.acme.organization.username)).toContainEqual(expect.objectContaining({
      name: 'hub', uid: hub.lab.hub.uid, hub: true, kubernetesVersion: 'v1.32.2', nodeCount: 0, phase: 'Active',
    }));
    for (const path of [paths.features, paths.featureSets, paths.profiles]) {
      expect(await hub.api.call('GET', path)).toMatchObject({ items: expect.any(Array) });
    }
  });

  it('are refused when they do not run Open Cluster Management', async () => {
    const kubeconfig = await readFile(hub.lab.spokes[0]!.kubeconfig, 'utf8');
    const attempt = hub.importHub(hub.acme.organization.username, 'spoke', kubeconfig);
    await expect(attempt).rejects.toMatchObject({ reason: 'INVALID_VALUE', violations: [{ path: 'hub' }] });
  });
});

describe('an account that has imported a cluster with a kubeconfig', () => {
  it('has shown that it holds the cluster: what strangers do with the UUID does not count against it', async () => {
    const { world, lab: { hub: { uid } } } = hub;
    const [holder, stranger, late] = [await world.person(), await world.person(), await world.person()];
    const { url, schema } = world.platform.databases['contracts-licensing'];
    await using contracts = connect({ url, schema, applicationName: 'spec', maxConnections: 1 });
    const known = (ownerId: number) => until(async () => {
      const rows = await contracts.query(sql`select 1 from imported_cluster where owner_id = ${ownerId} and uid = ${uid}::uuid`);
      return rows.length > 0;
    }, { what: 'the import is known' });
    const name = async ({ username, id }: { username: string; id: number }) => {
      await hub.importNamed(username, 'named', { uid });
      await known(id);
    };
    const trial = ({ http }: typeof holder) => http.post('/api/v1/license/issue', { json: { cluster: uid } });
    const endTrial = ({ id }: typeof holder) => contracts.execute(sql`
      update account_trial set started_at = now() - interval '31 days', ends_at = now() - interval '1 day'
       where owner_id = ${id}`);
    await name(stranger);
    expect(outcome(await trial(stranger))).toBe('200');
    await endTrial(stranger);
    await hub.importHub(holder.username, 'hub');
    await known(holder.id);
    expect(outcome(await trial(holder))).toBe('200');
    // The holder has used the trial of this cluster, so an account that only names the cluster gets no trial.
    await endTrial(holder);
    await name(late);
    expect(outcome(await trial(late))).toBe('405 no_active_contract');
  }, 60_000);
});

describe('cluster sets', () => {
  it('are listed by name with their clusters, default and global among them', async () => {
    const [a, b] = await hub.spokes(2);
    const set = await hub.set(a!, b!);
    await merge(hub.api, `${paths.sets}/${set}`, { metadata: { annotations: { 'platform.dev/title': 'Büro 🏢' } } });
    const listed = await sets();
    expect(listed).toContainEqual({ clusterSetName: set, clusterSetTitle: 'Büro 🏢', clusters: 2 });
    const order = listed.map(({ clusterSetName }) => clusterSetName);
    expect(order).toEqual([...order].sort());
    expect(order).toEqual(expect.arrayContaining(['default', 'global']));
    // Every cluster is in `global`, which selects clusters by their labels.
    expect(listed.find(({ clusterSetName }) => clusterSetName === 'global')!.clusters).toBeGreaterThanOrEqual(4);
  });

  it('are read page by page', async () => {
    await Promise.all([hub.set(), hub.set()]);
    const all = (await sets()).map(({ clusterSetName }) => clusterSetName).filter((name) => name.startsWith(hub.prefix));
    const met: string[] = [];
    for (let path: string | undefined = '/clustersets?limit=1'; path !== undefined;) {
      const answer = await hub.get(path);
      met.push(...answer.json<ListedSet[]>().map(({ clusterSetName }) => clusterSetName));
      const next = /<([^>]+)>; rel="next"/.exec(answer.header('link') ?? '')?.[1];
      path = next?.slice(next.indexOf('/clustersets'));
    }
    expect(met.filter((name) => name.startsWith(hub.prefix))).toEqual(all);
  });

  it('take clusters out of the set they are in, and give them back to default', async () => {
    const [a, b] = await hub.spokes(2);
    const [one, two] = [await hub.set(a!), await hub.set()];
    expect(await change('add', { clusterSet: two, clusters: [a, b, a] })).toBe('200');
    expect([await hub.setOf(a!), await hub.setOf(b!)]).toEqual([two, two]);
    // Repeating it, and removing from a set that does not contain the cluster, changes nothing.
    expect(await change('add', { clusterSet: two, clusters: [a] })).toBe('200');
    expect([await change('remove', { clusterSet: one, clusters: [a] }), await hub.setOf(a!)]).toEqual(['200', two]);
    expect(await change('remove', { clusterSet: two, clusters: [a] })).toBe('200');
    expect(await hub.setOf(a!)).toBe('default');
    expect((await names(`/clustersets/${two}/clusterlist`)).filter((name) => [a, b].includes(name))).toEqual([a]);
  });

  it('show their clusters with what the registry knows of them', async () => {
    const [a, b] = await hub.spokes(2);
    const set = await hub.set(a!, b!);
    await hub.importNamed(hub.acme.organization.username, a!, { displayName: 'Lab', provider: 'metal' });
    const other = { name: b, displayName: '', clusterNode: 0, provider: '', kubernetesVersion: 'v1.34.1', imported: false };
    expect((await hub.get(`/clustersets/${set}/clusters`)).json()).toEqual([
      { ...other, name: a, displayName: 'Lab', provider: 'metal', imported: true }, other,
    ]);
  });

  it('are deleted with all that refers to them, and their clusters go to default', async () => {
    const [a] = await hub.spokes(1);
    const set = await hub.set(a!);
    await hub.post('/bound-namespaces/bind', { clusterSet: set, namespace: 'kube-public' });
    await make(hub.api, paths.profiles, 'ManagedClusterSetProfile', set, {});
    expect([await change('delete', { clusterSet: set }), await hub.setOf(a!)]).toEqual(['200', 'default']);
    expect(await hub.find(`${paths.sets}/${set}`)).toBeUndefined();
    expect(await hub.find(`${paths.setBindings('kube-public')}/${set}`)).toBeUndefined();
    expect(await hub.find(`${paths.profiles}/${set}`)).toBeUndefined();
    expect(await change('delete', { clusterSet: set })).toBe('404 not_found');
  });

  it('are completed when a deletion was cut off', async () => {
    const [a] = await hub.spokes(1);
    const set = await hub.set(a!);
    const mark = {
      apiVersion: 'cluster.open-cluster-management.io/v1beta2', kind: 'ManagedClusterSet',
      metadata: { name: set, finalizers: ['platform.dev/cluster-set'] },
    };
    await hub.api.call('PATCH', `${paths.sets}/${set}?fieldManager=platform&force=true`, mark, 'application/apply-patch+yaml');
    await hub.api.call('DELETE', `${paths.sets}/${set}`);
    expect((await sets()).map(({ clusterSetName }) => clusterSetName)).not.toContain(set);
    expect(await change('add', { clusterSet: set, clusters: [a] })).toBe('404 not_found');
    expect([await change('delete', { clusterSet: set }), await hub.setOf(a!)]).toEqual(['200', 'default']);
  });

  it('are deleted when their name is longer than a label', async () => {
    const name = `${hub.prefix}-${'x'.repeat(70)}`;
    await makeSet(hub.api, name);
    expect(await change('delete', { clusterSet: name })).toBe('200');
    expect(await hub.find(`${paths.sets}/${name}`)).toBeUndefined();
  });

  it('say who has access to their clusters', async () => {
    const set = await hub.set();
    const { boss, people: [viewer], organization } = hub.acme;
    const users = async () => (await hub.get(`/clustersets/${set}/auth-info`)).json<Record<string, { id: number }[]>>();
    const { id, username: login } = boss;
    expect(await users()).toEqual({ 'cluster-admin': [expect.objectContaining({ id, login })] });
    await hub.world.join(boss, organization.teams.Owners, viewer!);
    expect((await users())['cluster-admin']!.map((user) => user.id)).toEqual([id, viewer!.id].sort((x, y) => x - y));
  });

  it.each<[string, string, () => unknown, string]>([
    ['create', 'a name that is no DNS label', () => ({ clusterSet: 'Not-A-Label' }), '422 validation_failed'],
    ['create', 'a name that is too long', () => ({ clusterSet: 'x'.repeat(64) }), '422 validation_failed'],
    ['create', 'default', () => ({ clusterSet: 'default' }), '422 validation_failed'],
    ['create', 'global', () => ({ clusterSet: 'global' }), '422 validation_failed'],
    ['create', 'no name', () => ({}), '422 validation_failed'], ['create', 'a list', () => [], '422 validation_failed'],
    ['create', 'an unknown cluster', () => ({ clusterSet: `${hub.prefix}-no`, clusters: ['nowhere'] }), '400 invalid_value'],
    ['create', 'too many clusters', () => ({
      clusterSet: `${hub.prefix}-no`, clusters: Array(1001).fill('a'),
    }), '400 too_many_items'],
    ['delete', 'default', () => ({ clusterSet: 'default' }), '400 invalid_value'],
    ['delete', 'global', () => ({ clusterSet: 'global' }), '400 invalid_value'],
    ['delete', 'an unknown set', () => ({ clusterSet: 'nowhere' }), '404 not_found'],
    ['delete', 'a path', () => ({ clusterSet: '..' }), '404 not_found'],
    ['delete', 'no name', () => ({ clusterSet: '' }), '422 validation_failed'],
    ['add', 'no clusters', () => ({ clusterSet: 'default' }), '422 validation_failed'],
    ['add', 'an empty list', () => ({ clusterSet: 'default', clusters: [] }), '422 validation_failed'],
    ['add', 'an unknown set and no clusters', () => ({ clusterSet: 'nowhere' }), '422 validation_failed'],
    ['add', 'an unknown set', () => ({ clusterSet: 'nowhere', clusters: ['cluster1'] }), '404 not_found'],
    ['add', 'an unknown cluster', () => ({ clusterSet: 'default', clusters: ['nowhere'] }), '400 invalid_value'],
    ['add', 'global', () => ({ clusterSet: 'global', clusters: ['cluster1'] }), '400 invalid_value'],
    ['remove', 'global', () => ({ clusterSet: 'global', clusters: ['cluster1'] }), '400 invalid_value'],
    ['remove', 'an empty list', () => ({ clusterSet: 'default', clusters: [] }), '422 validation_failed'],
  ])('refuse to %s with %s', async (verb, _, body, expected) => {
    expect(await change(verb, body())).toBe(expected);
  });

  it('are not created with an unknown cluster, or twice', async () => {
    const [a] = await hub.spokes(1);
    const name = `${hub.prefix}-half`;
    await hub.post('/clustersets/create', { clusterSet: name, clusters: [a, 'nowhere'] });
    expect(await hub.find(`${paths.sets}/${name}`)).toBeUndefined();
    expect([await hub.setOf(a!), await change('create', { clusterSet: name })]).toEqual(['default', '200']);
    expect(await change('create', { clusterSet: name })).toBe('409 already_exists');
  });

  it.each(['clusters', 'clusterlist', 'auth-info', 'featuresets', 'sync-status/all-features', 'auto-update/check'])(
    'answer 404 for %s of a missing set', async (path) => {
      expect(await got(`/clustersets/nowhere/${path}`)).toBe('404 not_found');
      expect(await got(`/clustersets/%2e%2e/${path}`)).toBe('404 not_found');
    },
  );
});

describe('what is available', () => {
  interface Info { readonly name: string; readonly clusterURL: string; readonly clusterUID: string; readonly clusterSet: string }

  it('are all clusters that are accepted and have joined', async () => {
    const [a] = await hub.spokes(1);
    const pending = `${hub.prefix}-pending`;
    await make(hub.api, paths.clusters, 'ManagedCluster', pending, { hubAcceptsClient: false });
    const listed = (await hub.get('/available-clusters')).json<Info[]>();
    expect(listed).toContainEqual({
      name: a, clusterURL: `https://${a}.example.org:6443`, clusterUID: uidOfSpoke(a!), clusterSet: 'default',
    });
    expect(listed).toContainEqual(expect.objectContaining({ name: 'cluster1', clusterUID: hub.lab.spokes[0]!.uid }));
    expect(listed.map(({ name }) => name)).not.toContain(pending);
  });

  it('are for client organizations the sets that they can use', async () => {
    const [a, b] = await hub.spokes(2);
    const [full, empty, closed] = [await hub.set(a!), await hub.set(), await hub.set(b!)];
    const labels = { 'platform.dev/client-org-eligible': 'false' };
    await merge(hub.api, `${paths.sets}/${closed}`, { metadata: { labels } });
    expect(await names('/available-clustersets')).toEqual(expect.arrayContaining([full, empty, closed, 'default', 'global']));
    const eligible = await names('/available-clustersets?type=client-org');
    expect(eligible.filter((name) => [full, empty, closed, 'default', 'global'].includes(name))).toEqual([full]);
    expect(await got('/available-clustersets?type=other')).toBe('400 invalid_parameter');
  });

  it('are to a client organization what is imported for it', async () => {
    const client = await hub.world.organizationWith(0);
    await hub.world.database.execute(sql`update organization set org_type = 2 where id = ${client.organization.id}`);
    const owner = client.organization.username;
    await hub.importHub(owner, 'hub');
    const [a, b] = await hub.spokes(2);
    const [ours] = [await hub.set(a!), await hub.set(b!)];
    await hub.importNamed(owner, a!);
    const path = `/api/v1/clusters/${owner}/hub`;
    const clusters = (await client.boss.http.get(`${path}/available-clusters`)).json<Info[]>();
    expect(clusters.map(({ name }) => name)).toEqual([a]);
    expect((await client.boss.http.get(`${path}/available-clustersets`)).json()).toEqual(['global', ours].sort());
  });
});

describe('rights', () => {
  it('let viewers read, and administrators change', async () => {
    const { organization, boss } = hub.acme;
    const viewer = await hub.world.person();
    await hub.world.join(boss, organization.teams.Viewers, viewer);
    const set = await hub.set();
    for (const path of ['/clustersets', '/available-clusters', `/clustersets/${set}/clusters`, '/bound-namespaces']) {
      expect(outcome(await viewer.http.get(hub.path + path))).toBe('200');
    }
    for (const verb of ['create', 'delete', 'add', 'remove']) {
      const json = { clusterSet: set, clusters: ['cluster1'] };
      expect(outcome(await viewer.http.post(`${hub.path}/clustersets/${verb}`, { json }))).toBe('403 forbidden');
      // Rights are checked before the body.
      expect(outcome(await viewer.http.post(`${hub.path}/clustersets/${verb}`, { json: {} }))).toBe('403 forbidden');
    }
    const options = { clusterSet: set, namespace: 'default' };
    expect(outcome(await viewer.http.post(`${hub.path}/bound-namespaces/bind`, { json: options }))).toBe('403 forbidden');
  });

  it('are those on the owner: strangers see nothing, and a foreign hub is no hub', async () => {
    const globex = await hub.world.organizationWith(0);
    expect(outcome(await globex.boss.http.get(`${hub.path}/clustersets`))).toBe('403 not_org_member');
    const own = `/api/v1/clusters/${globex.organization.username}`;
    expect(outcome(await globex.boss.http.get(`${own}/hub/clustersets`))).toBe('404 not_found');
    expect(outcome(await hub.world.nobody.get(`${hub.path}/clustersets`))).toBe('401 unauthenticated');
    expect(outcome(await globex.boss.http.get('/api/v1/clusters/nobody-here/hub/clustersets'))).toBe('404 not_found');
  });

  it('need a cluster that was imported as a hub', async () => {
    await hub.importNamed(hub.acme.organization.username, 'plain');
    const path = `/api/v1/clusters/${hub.acme.organization.username}/plain/clustersets`;
    expect(outcome(await hub.acme.boss.http.get(path))).toBe('404 not_found');
  });

  it('are those of a user on their own hub, and of site admins', async () => {
    const [user, other] = [await hub.world.person(), await hub.world.person()];
    await hub.importHub(user.username, 'hub');
    const path = `/api/v1/clusters/${user.username}/hub/clustersets`;
    expect([outcome(await user.http.get(path)), outcome(await other.http.get(path))]).toEqual(['200', '403 forbidden']);
    expect(outcome(await hub.world.siteAdmin.http.get(path))).toBe('200');
    const users = (await user.http.get(`${path}/default/auth-info`)).json<Record<string, { login: string }[]>>();
    expect(users['cluster-admin']!.map(({ login }) => login)).toEqual([user.username]);
  });

  it('end with a hub that moves to another owner', async () => {
    const [from, to] = [await hub.world.organizationWith(0), await hub.world.organizationWith(0)];
    await hub.importHub(from.organization.username, 'hub');
    const pathOf = (name: string) => `/api/v1/clusters/${name}/hub/clustersets`;
    expect(outcome(await from.boss.http.get(pathOf(from.organization.username)))).toBe('200');
    await hub.moveCluster(from.organization.username, to.organization.id);
    expect(outcome(await from.boss.http.get(pathOf(from.organization.username)))).toBe('404 not_found');
    expect(outcome(await to.boss.http.get(pathOf(to.organization.username)))).toBe('200');
  });
});

describe('bound namespaces', () => {
  const bound = async () => (await hub.get('/bound-namespaces')).json<Record<string, string[]>>();

  it('are bound and unbound, as often as asked', async () => {
    const set = await hub.set();
    const namespace = `${hub.prefix}-ns`;
    await hub.api.create('/api/v1/namespaces', { metadata: { name: namespace } });
    expect((await bound())[namespace]).toEqual([]);
    const options = { clusterSet: set, namespace };
    expect([await binding('bind', options), await binding('bind', options)]).toEqual(['200', '200']);
    expect((await bound())[namespace]).toEqual([set]);
    expect([await binding('unbind', options), await binding('unbind', options)]).toEqual(['200', '200']);
    expect((await bound())[namespace]).toEqual([]);
  });

  it('are unbound from a set that is gone', async () => {
    const [namespace, set] = [`${hub.prefix}-ns2`, `${hub.prefix}-gone`];
    await hub.api.create('/api/v1/namespaces', { metadata: { name: namespace } });
    await make(hub.api, paths.setBindings(namespace), 'ManagedClusterSetBinding', set, { clusterSet: set });
    const options = { clusterSet: set, namespace };
    expect([await binding('unbind', options), await binding('unbind', options)]).toEqual(['200', '404 not_found']);
  });

  it.each([
    [{ clusterSet: 'default', namespace: 'no-such-namespace' }, '404 not_found'],
    [{ clusterSet: 'nowhere', namespace: 'default' }, '404 not_found'],
    [{ clusterSet: 'default', namespace: '..' }, '422 validation_failed'],
    [{ clusterSet: '', namespace: 'default' }, '422 validation_failed'],
    [{ clusterSet: 'default' }, '422 validation_failed'],
  ])('refuse %j', async (options, expected) => {
    expect([await binding('bind', options), await binding('unbind', options)]).toEqual([expected, expected]);
  });
});
