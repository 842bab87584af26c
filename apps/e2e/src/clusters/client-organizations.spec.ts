import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, openApi } from '@platform/lab';
import { connect, sql } from '@platform/postgres';
import { type HttpAnswer, until } from '@platform/testing';
import { specCall } from '../operator.ts';
import { adminCommand } from '../operator-command.ts';
import { outcome } from '../orgs/world.ts';
import { clientCalls } from './client-calls.ts';
import { clusterHosts, find, type HubWorld, merge, paths, startHubWorld } from './hub-world.ts';

let hub: HubWorld;
let spokes: readonly { readonly name: string; readonly uid: string; readonly api: Api }[];
let hubUid: string;
let made = 0;

beforeAll(async () => {
  hub = await startHubWorld({ hosts: [...clusterHosts, 'billing-dashboard'] });
  hubUid = hub.lab.hub.uid;
  spokes = await Promise.all(hub.lab.spokes.map(async (spoke) => ({ ...spoke, api: await openApi(spoke.kubeconfig) })));
}, 180_000);
afterAll(async () => {
  for (const { api } of spokes ?? []) api[Symbol.dispose]();
  await hub?.[Symbol.asyncDispose]();
});

const nameOf = () => `${hub.prefix}-client-${(made += 1)}`;
const { get, post, remove, statusOf, clusterStatus, untilStatus, named } = clientCalls(() => hub, {
  change: 30_000, removal: 15_000, status: 60_000,
});
const createOutcome = async (...given: Parameters<typeof params>) => outcome(await post('create', params(...given)));

type Body = Readonly<Record<string, unknown>>;
const permission = (spoke: string, more: Body = {}): Body => ({ name: spoke, roleRefName: 'platform:admin', ...more });

/** Body of a request that creates a client organization on these spokes, or on none. */
function params(name: string, on: readonly number[] = [], more: { org?: Body; user?: Body; params?: Body } = {}): Body {
  return {
    clientOrg: { orgName: name, ...more.org }, hubClusterUID: hubUid,
    hubClusterOwnerName: hub.acme.organization.username,
    userPermission: {
      userName: `${name}-boss`, email: 'boss@example.org', importCluster: on.length > 0,
      permissions: (on.length === 0 ? [0] : on).map((index) => permission(spokes[index]!.name)), ...more.user,
    },
    ...more.params,
  };
}

async function create(...given: Parameters<typeof params>): Promise<{ id: number; username: string }> {
  const answer = await post('create', params(...given));
  expect(outcome(answer)).toBe('200');
  return answer.json();
}

interface Namespace {
  readonly metadata: { readonly labels: Record<string, string>; readonly annotations: Record<string, string> };
}

const itemsOf = async <Item extends object>(api: Api, path: string) =>
  (await api.call('GET', path) as { items: Item[] }).items;
const worksOn = (spoke: string) => itemsOf<{ metadata: { name: string } }>(hub.api, paths.works(spoke));
const namespace = (index: number, name: string) => find<Namespace>(spokes[index]!.api, `/api/v1/namespaces/${name}`);
const appears = <Found>(seek: () => Promise<Found | undefined>, what: string) => until(seek, { within: 30_000, what });

describe('a client organization', () => {
  it('is an account with an owner, and has namespaces and rights on its spokes', async () => {
    const name = nameOf();
    const organization = await create(name, [0], {
      org: { orgFullName: 'Büro 🏢', managerManagementClusterEndPoint: 'https://manager.example.org', provideSyncToken: true },
      user: { permissions: [permission(spokes[0]!.name), permission(spokes[0]!.name, { roleRefName: 'view', roleType: 'ClusterRole' })] },
      params: {
        annotations: { 'example.org/tier': 'gold', 'client.platform.dev/order': '4711' },
        dbConfig: { nodeSelector: { disk: 'ssd' }, tolerations: [{ key: 'db', operator: 'Exists' }] },
        useGateway: true, gatewayConfig: { infra: { host: 'gw.example.org', dns: { auth: { token: 'sesame' } } }, other: 1 },
        telemetryParams: { monitoringClusterName: 'hub', logsRetentionPeriods: '3d' },
      },
    });
    expect(organization).toMatchObject({
      username: name, full_name: 'Büro 🏢', orgType: 2, visibility: 'private',
      managerManagementClusterEndPoint: 'https://manager.example.org',
    });
    expect((await get(String(organization.id))).json()).toEqual(organization);
    expect((await hub.world.siteAdmin.http.get('/api/v1/user/clients')).json()).toContainEqual(organization);
    expect([await statusOf(name), await clusterStatus(name, spokes[0]!.name)]).toEqual(['Active', 'Active']);
    expect((await hub.world.siteAdmin.http.get(`/api/v1/orgs/${name}/members`)).json())
      .toMatchObject([{ login: `${name}-boss`, active: true, clientOrgUser: true }]);
    expect((await hub.world.siteAdmin.http.get(`/api/v1/orgs/${name}/manager/sync-token`)).json())
      .toMatchObject({ orgName: name, accessKeyID: expect.stringMatching(/./), secretAccessKey: expect.stringMatching(/./) });
    expect((await hub.listed(name)).map((one) => ({ name: one.name, uid: one.uid, hub: one.hub }))).toEqual([
      { name: 'hub', uid: hubUid, hub: true }, { name: spokes[0]!.name, uid: spokes[0]!.uid, hub: false },
    ]);
    const labels = { 'platform.dev/client-org': 'true' };
    const annotations = {
      'platform.dev/org-id': String(organization.id), 'example.org/tier': 'gold', 'client.platform.dev/order': '4711',
    };
    // billing-dashboard receives the facts about the clusters of the client.
    const { url, schema } = hub.world.platform.databases['billing-dashboard'];
    await using billing = connect({ url, schema, applicationName: 'spec', maxConnections: 1 });
    await until(() => billing.maybeOne(sql<object>`
      select from client_cluster
       where organization_id = ${organization.id} and cluster_uid = ${spokes[0]!.uid}::uuid
         and metadata = ${sql.json({ 'client.platform.dev/order': '4711' })}::jsonb`),
    { within: 30_000, what: 'billing has the metadata' });
    expect(await appears(() => namespace(0, name), 'the namespace')).toMatchObject({ metadata: {
      labels, annotations: {
        ...annotations,
        'platform.dev/db-config': JSON.stringify({ nodeSelector: { disk: 'ssd' }, tolerations: [{ key: 'db', operator: 'Exists' }] }),
      },
    } });
    expect(await appears(() => namespace(0, `${name}-gw`), 'the gateway')).toMatchObject({ metadata: { labels, annotations } });
    expect(await appears(() => namespace(0, `${name}-monitoring`), 'telemetry')).toMatchObject({
      metadata: { labels: { ...labels, 'platform.dev/client-org-monitoring': 'true' }, annotations },
    });
    const bindings = `/apis/rbac.authorization.k8s.io/v1/namespaces/${name}/rolebindings`;
    const bound = await appears(async () => {
      const all = await itemsOf<{ roleRef: object; subjects: object[] }>(spokes[0]!.api, bindings);
      return all.length === 2 ? all : undefined;
    }, 'the rights');
    expect(bound.map(({ roleRef, subjects }) => [roleRef, subjects])).toEqual(expect.arrayContaining(['platform:admin', 'view'].map((role) => [
      expect.objectContaining({ kind: 'ClusterRole', name: role }),
      [expect.objectContaining({ kind: 'Group', name: `platform.org.${organization.id}` })],
    ])));
    expect([outcome(await remove(organization.id)), outcome(await remove(organization.id))]).toEqual(['200', '200']);
    expect(['Deleting', 'Deleted']).toContain(await statusOf(name));
    await untilStatus(name, 'Deleted');
    expect(await clusterStatus(name, spokes[0]!.name)).toBe('Deleted');
    for (const gone of [name, `${name}-gw`, `${name}-monitoring`]) expect(await namespace(0, gone)).toBeUndefined();
    const left = (await worksOn(spokes[0]!.name)).map(({ metadata }) => metadata.name);
    expect(left).not.toContain(`client-org-${organization.id}`);
    expect(outcome(await get(String(organization.id)))).toBe('404 not_found');
    expect(outcome(await remove(organization.id))).toBe('404 not_found');
    // The name is free again, and the cluster of the deleted organization is not found under the new one.
    const again = await create(name);
    expect([await statusOf(name), await clusterStatus(name, spokes[0]!.name)]).toEqual(['Active', 'NotFound']);
    expect(outcome(await remove(again.id))).toBe('200');
    await untilStatus(name, 'Deleted');
  }, 120_000);

  it('is created once when several callers ask for the name at the same time', async () => {
    const name = nameOf();
    const answers = await Promise.all(Array.from({ length: 12 }, () => post('create', params(name, [1]))));
    expect(answers.map(outcome).sort()).toEqual(['200', ...Array.from({ length: 11 }, () => '409 already_exists')]);
    const { id } = answers.find(({ status }) => status === 200)!.json<{ id: number }>();
    expect(await createOutcome(name)).toBe('409 already_exists');
    await appears(() => namespace(1, name), 'the namespace');
    expect([outcome(await remove(id)), await createOutcome(name)]).toEqual(['200', '409 already_exists']);
    await untilStatus(name, 'Deleted');
  }, 120_000);

  it('is not created over a namespace of somebody else, which stays as it is', async () => {
    const name = nameOf();
    await spokes[0]!.api.create('/api/v1/namespaces', { metadata: { name, labels: { mine: 'yes' } } });
    expect(await createOutcome(name, [0])).toBe('409 conflict');
    expect((await namespace(0, name))?.metadata.labels).toMatchObject({ mine: 'yes' });
    expect(await statusOf(name)).toBe('NotFound');
    await spokes[0]!.api.call('DELETE', `/api/v1/namespaces/${name}`);
  }, 60_000);
});

describe('clusters of a client organization', () => {
  it('are added and deleted, while the organization stays', async () => {
    const name = nameOf();
    const organization = await create(name);
    const [, spoke] = spokes;
    const ofSpoke = named(spoke!.name);
    expect(await clusterStatus(name, spoke!.name)).toBe('NotFound');
    const added = await post(`${name}/add-cluster`, { ...ofSpoke, annotations: { 'example.org/tier': 'silver' } });
    expect([outcome(added), added.json()]).toEqual(['200', organization]);
    expect(await appears(() => namespace(1, name), 'the namespace'))
      .toMatchObject({ metadata: { annotations: { 'example.org/tier': 'silver' } } });
    expect(outcome(await post(`${name}/add-cluster`, ofSpoke))).toBe('400 already_imported');
    const attempts: readonly [string, string, Body][] = [
      ['404 not_found', `${name}x/add-cluster`, {}], ['404 not_found', `${name}x/delete-cluster`, {}],
      ['400 invalid_value', `${name}/add-cluster`, { spokeClusterName: 'missing' }],
      ['404 not_found', `${name}/delete-cluster`, { spokeClusterName: 'missing' }],
      ...['add-cluster', 'delete-cluster'].flatMap((act): [string, string, Body][] => [
        ['422 validation_failed', `${name}/${act}`, { hubClusterUID: null }],
        ['422 validation_failed', `${name}/${act}`, { spokeClusterName: undefined }],
      ]),
      ...[{ hubClusterName: 'other' }, { hubClusterOwnerName: 'nobody' }, { hubClusterUID: spoke!.uid }, { hubClusterUID: 'x' }]
        .map((wrong): [string, string, Body] => ['400 invalid_value', `${name}/delete-cluster`, wrong]),
    ];
    for (const [expected, path, wrong] of attempts) {
      expect([path, wrong, outcome(await post(path, { ...ofSpoke, ...wrong }))]).toEqual([path, wrong, expected]);
    }
    expect(outcome(await post(`${name}/delete-cluster`, ofSpoke))).toBe('200');
    expect(outcome(await post(`${name}/delete-cluster`, ofSpoke))).toMatch(/^200$|^404 not_found$/);
    await until(async () => await clusterStatus(name, spoke!.name) === 'Deleted', { within: 60_000, what: 'the cluster is Deleted' });
    expect(await namespace(1, name)).toBeUndefined();
    expect([await statusOf(name), outcome(await post(`${name}/add-cluster`, ofSpoke))]).toEqual(['Active', '200']);
    expect([await clusterStatus(name, spoke!.name), outcome(await remove(organization.id))]).toEqual(['Active', '200']);
    expect(outcome(await post(`${name}/add-cluster`, ofSpoke))).toMatch(/^409 conflict$|^404 not_found$/);
    await untilStatus(name, 'Deleted');
  }, 120_000);

  it('are deleted one by one, each when nothing is left there', async () => {
    const name = nameOf();
    const { id } = await create(name, [0, 1]);
    await Promise.all([0, 1].map((index) => appears(() => namespace(index, name), 'the namespace')));
    const held = `/api/v1/namespaces/${name}/configmaps`;
    await spokes[1]!.api.create(held, { metadata: { name: 'held', finalizers: ['example.org/held'] } });
    expect(outcome(await remove(id))).toBe('200');
    await untilStatus(name, 'Partially Deleted');
    expect(await Promise.all(spokes.map((spoke) => clusterStatus(name, spoke.name)))).toEqual(['Deleted', 'Deleting']);
    expect([outcome(await get(String(id))), await createOutcome(name)]).toEqual(['200', '409 already_exists']);
    await spokes[1]!.api.call('PATCH', `${held}/held`, { metadata: { finalizers: null } }, 'application/merge-patch+json');
    await untilStatus(name, 'Deleted');
    expect(await clusterStatus(name, spokes[1]!.name)).toBe('Deleted');
  }, 120_000);

  it('keep a gateway that others use there', async () => {
    const [owner, user] = [nameOf(), nameOf()];
    const { id } = await create(owner, [0], { params: { useGateway: true, gatewayConfig: {}, usableAsShared: true } });
    const ref = { useGateway: true, gatewayConfigRef: { namespace: `${owner}-gw`, name: owner } };
    const refused = (more: Body, on: readonly number[] = [0]) => createOutcome(nameOf(), on, { params: more });
    expect(await refused({ ...ref, gatewayConfig: {} })).toBe('400 invalid_value');
    expect(await refused({ useGateway: true })).toBe('400 invalid_value');
    expect(await refused({ useGateway: true, gatewayConfigRef: { namespace: 'kube-system', name: owner } })).toBe('400 invalid_value');
    expect(await refused(ref, [1])).toBe('400 invalid_value');
    const using = await create(user, [0], { params: ref });
    expect(outcome(await post(`${owner}/delete-cluster`, named(spokes[0]!.name)))).toBe('400 gateway_in_use');
    expect([outcome(await remove(id)), await statusOf(owner)]).toEqual(['400 gateway_in_use', 'Active']);
    await remove(using.id);
    await untilStatus(user, 'Deleted');
    expect([outcome(await remove(id)), await statusOf(owner)]).toEqual(['200', 'Deleting']);
  }, 120_000);
});

describe('a shared gateway', () => {
  it('is not begun to be used while its organization is being deleted', async () => {
    const [owner, user] = [nameOf(), nameOf()];
    const { id } = await create(owner, [0], { params: { useGateway: true, gatewayConfig: {}, usableAsShared: true } });
    const { url, schema } = hub.world.platform.databases.clusters;
    await using rows = connect({ url, schema, applicationName: 'spec', maxConnections: 2 });
    // The steps of a deletion, delayed.
    const [client, using] = await rows.transact(async (transaction) => {
      const locked = await transaction.one(sql<{ id: number }>`
        select id from client_organization where organization_id = ${id} for update`);
      await transaction.execute(sql`select from client_cluster where client_id = ${locked.id} for update`);
      const begun = post('create', params(user, [0], {
        params: { useGateway: true, gatewayConfigRef: { namespace: `${owner}-gw`, name: owner } },
      }));
      await until(() => rows.maybeOne(sql<object>`
        select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`),
      { within: 20_000, what: 'the creation waits' });
      await transaction.execute(sql`
        update client_organization set state = 'closing', deleting_at = now() where id = ${locked.id}`);
      return [locked.id, { begun }];
    });
    expect(outcome(await using.begun)).toBe('400 invalid_value');
    await rows.execute(sql`update client_organization set state = 'active', deleting_at = null where id = ${client}`);
    expect([await statusOf(user), outcome(await remove(id))]).toEqual(['NotFound', '200']);
  }, 60_000);
});

describe('roles', () => {
  it('of a namespace are bound there, and nothing else of the namespace goes with the organization', async () => {
    const name = nameOf();
    const { api, name: spoke } = spokes[1]!;
    const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    await api.create(`${roles}/roles`, {
      apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: `${name}-reader` },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    });
    const ofRole = { roleType: 'Role', roleRefName: `${name}-reader`, roleRefNamespace: ['default', 'default'] };
    const everywhere = permission('global', { isClusterSet: true, roleRefName: 'platform:viewer' });
    const refused = permission(spoke, { ...ofRole, roleRefNamespace: ['default', 'kube-system'] });
    expect(await createOutcome(name, [1], { user: { permissions: [refused] } })).toBe('400 invalid_value');
    // The cluster and its set both give the viewer's role.
    const viewer = permission(spoke, { roleRefName: 'platform:viewer' });
    const { id } = await create(name, [1], { user: { importCluster: false, permissions: [permission(spoke, ofRole), viewer, everywhere] } });
    expect(outcome(await post(`${name}/add-cluster`, named(spoke)))).toBe('200');
    const binding = `${roles}/rolebindings/client-org-${name}-role-${name}-reader`;
    expect(await appears(() => find(api, binding), 'the binding of the role')).toMatchObject({
      roleRef: { kind: 'Role', name: `${name}-reader` }, subjects: [{ kind: 'Group', name: `platform.org.${id}` }],
    });
    const viewers = `/apis/rbac.authorization.k8s.io/v1/namespaces/${name}/rolebindings`;
    await until(async () => (await itemsOf(api, viewers)).length === 1, { within: 30_000, what: 'one binding' });
    expect(outcome(await remove(id))).toBe('200');
    await untilStatus(name, 'Deleted');
    expect(await find(api, binding)).toBeUndefined();
    expect(await find(api, `${roles}/roles/${name}-reader`)).toMatchObject({ kind: 'Role' });
  }, 120_000);
});

describe('the owner of a client organization', () => {
  it('reads the hub for its own clusters, and does not change it', async () => {
    const [name, ofSet] = [nameOf(), nameOf()];
    const owner = await hub.world.person();
    const user = { userName: owner.username, email: 'ignored@example.org' };
    const { id } = await create(name, [0], { user });
    const other = await create(ofSet, [], {
      user: { ...user, permissions: [permission('global', { isClusterSet: true, roleRefName: 'platform:viewer' })] },
    });
    const path = `/api/v1/clusters/${name}/hub`;
    expect((await owner.http.get(`${path}/available-clusters`)).json())
      .toMatchObject([{ name: spokes[0]!.name, clusterUID: spokes[0]!.uid }]);
    expect(outcome(await owner.http.post(`${path}/clustersets/create`, { json: { clusterSet: `${name}-set` } })))
      .toBe('403 forbidden');
    const bind = { clusterSet: 'global', namespace: 'default' };
    expect(outcome(await owner.http.post(`${path}/bound-namespaces/bind`, { json: bind }))).toBe('403 forbidden');
    const { boss } = hub.acme;
    expect(outcome(await boss.http.get(`${path}/clustersets`))).toBe('404 not_found');
    const where = '/clustersets/global/auth-info';
    const logins = (answer: HttpAnswer) => Object.fromEntries(
      Object.entries(answer.json<Record<string, { login: string }[]>>()).map(([role, users]) => [role, users.map(({ login }) => login)]),
    );
    expect(logins(await hub.get(where))).toEqual({ 'cluster-admin': [boss.username], 'platform:viewer': [owner.username] });
    expect(logins(await owner.http.get(`/api/v1/clusters/${ofSet}/hub${where}`))).toEqual({ 'platform:viewer': [owner.username] });
    expect(logins(await owner.http.get(path + where))).toEqual({});
    expect([outcome(await remove(other.id)), outcome(await remove(id))]).toEqual(['200', '200']);
    expect(logins(await hub.get(where))).toEqual({ 'cluster-admin': [boss.username] });
  }, 60_000);
});

it('the UID of a cluster without a claim is read through the hub', async () => {
  const [name] = await hub.spokes(1);
  const uid = '6ac1c3a2-0f8e-4b5e-9f5b-2f2d64d0f3b1';
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const condition = (type: string) => ({ type, status: 'True', reason: 'Spec', message: '', lastTransitionTime });
  const conditions = [condition('ManagedClusterJoined'), condition('ManagedClusterConditionAvailable')];
  await merge(hub.api, `${paths.clusters}/${name}/status`, { status: { clusterClaims: [], conditions } });
  // The cluster has no agent, so the test answers in its place.
  const answerProbes = async () => {
    for (const { metadata } of await worksOn(name!)) {
      await merge(hub.api, `${paths.works(name!)}/${metadata.name}/status`, { status: { resourceStatus: { manifests: [{
        resourceMeta: { ordinal: 0 }, conditions: [condition('Available')],
        statusFeedback: { values: [{ name: 'uid', fieldValue: { type: 'String', string: uid } }] },
      }] } } }).catch(() => undefined);
    }
  };
  const shown = async () => {
    const listed = (await hub.get('/available-clusters')).json<{ name: string; clusterUID: string }[]>();
    return listed.find((one) => one.name === name)?.clusterUID;
  };
  let known = false;
  const agent = until(async () => {
    await answerProbes();
    return known;
  }, { within: 90_000, what: 'the UID is known' });
  await until(async () => await shown() === uid, { within: 60_000, what: 'the UID is read' });
  known = true;
  await agent;
  expect(await worksOn(name!)).toEqual([]);
}, 120_000);

it('whose first attempt to be deleted fails is deleted by the next, and the log says why the first failed', async () => {
  const name = nameOf();
  const { id } = await create(name);
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  // Lock the account, so that it can be closed but not deleted.
  const holding = hub.world.database.transact(async (transaction) => {
    await transaction.execute(sql`select from account where id = ${id} for key share`);
    hold();
    await released;
  });
  await held;
  try {
    expect([outcome(await remove(id)), await statusOf(name)]).toEqual(['200', 'Deleting']);
    const [line] = await until(() => {
      const lines = hub.world.platform.services.clusters.replicas.flatMap(({ log }) => log.map((one) => JSON.parse(one) as Body));
      const found = lines.filter(({ level, organizationId }) => level === 'warn' && organizationId === id);
      return found.length > 0 ? found : undefined;
    }, { what: 'the log says it' });
    expect(line).toMatchObject({ error: { type: 'Fault', reason: expect.stringMatching(/^[A-Z_]+$/) } });
  } finally {
    release();
    await holding;
  }
  await untilStatus(name, 'Deleted');
}, 90_000);

it('whose hub is imported again keeps the one entry: it is updated, or refused in words where it brings a kubeconfig', async () => {
  const name = nameOf();
  await create(name, [0]);
  const before = await hub.listed(name);
  const made = before.find(({ uid }) => uid === hubUid)!;
  expect(made).toMatchObject({ uid: hubUid, owner: name });
  const { kubeconfig } = hub.lab.hub;
  const refused = { reason: 'INVALID_VALUE', violations: [{ path: 'kubeconfig' }] };
  for (const as of [made.name, 'another', made.name]) {
    const given = { owner: name, name: as, kubeconfig: hub.hubKubeconfig, uid: '', displayName: undefined, provider: undefined };
    await expect(hub.registry.importCluster({ ...given, hub: true }, specCall())).rejects.toMatchObject(refused);
    const argv = ['cluster', 'import', '--owner', name, '--name', as, '--kubeconfig', kubeconfig, '--hub'];
    const command = await adminCommand(hub.world.platform, argv);
    expect(command).toMatchObject({ code: 1, answer: '', stderr: expect.stringContaining('kubeconfig') });
  }
  expect(await hub.listed(name)).toEqual(before);
  const argv = ['cluster', 'import', '--owner', name, '--name', made.name, '--uid', hubUid, '--display-name', 'Our hub'];
  for (const again of [argv, argv]) {
    expect(await adminCommand(hub.world.platform, again)).toMatchObject({ code: 0, answer: { id: made.id, uid: hubUid } });
  }
  expect((await hub.listed(name)).map(({ id, displayName }) => [id, displayName]))
    .toEqual(before.map(({ id, displayName }) => [id, id === made.id ? 'Our hub' : displayName]));
}, 90_000);

describe('what is refused', () => {
  it('leaves nothing behind', async () => {
    const fields = ['clientOrg', 'hubClusterUID', 'hubClusterOwnerName', 'userPermission'];
    const long = 'a'.repeat(41);
    const orgNames = [
      '', 'UPPER', 'a.b', 'a_b', '-a', 'x-gw', 'x-monitoring', 'create', 'delete', 'kube--x', '../x', long, 'admin',
    ];
    const unprocessable: readonly ((name: string) => Body)[] = [
      ...fields.map((field) => (name: string) =>
        ({ ...params(name), [field]: field === 'hubClusterOwnerName' ? null : undefined })),
      ...orgNames.map((orgName) => () => params(orgName)),
      (name) => params(name, [], { org: { description: 'a'.repeat(256) } }),
    ];
    const allowing = (...given: Parameters<typeof permission>) => ({ user: { permissions: [permission(...given)] } });
    const gateway = (gatewayConfig: Body) => ({ params: { useGateway: true, gatewayConfig } });
    const annotated = (annotations: Body) => ({ params: { annotations } });
    const monitored = (telemetryParams: Body) => ({ params: { telemetryParams } });
    const invalid: readonly (NonNullable<Parameters<typeof params>[2]> & { readonly on?: readonly number[] })[] = [
      { org: { orgType: 'public' } }, { org: { provideSyncToken: true } }, { user: { permissions: [] } },
      { user: { email: '' } }, { user: { userName: hub.acme.organization.username } },
      allowing('missing'), allowing('missing', { isClusterSet: true }), allowing('../..'),
      allowing('x', { roleType: 'Rule' }), allowing('x', { roleType: 'Role' }),
      allowing('x', { roleRefName: '../../secrets' }),
      { on: [0], ...allowing(spokes[0]!.name, { roleRefName: 'no-such-role' }) },
      { params: { hubClusterUID: 'x' } }, { params: { hubClusterUID: spokes[0]!.uid } },
      { params: { hubClusterOwnerName: 'nobody' } }, { params: { hubClusterOwnerName: hub.acme.boss.username } },
      annotated({ 'a b': 'c' }), annotated({ ['__proto__']: 'c' }), annotated({ a: 'x'.repeat(262_144) }),
      // First, annotations that exceed the limit of a namespace when the platform adds its own. Then, annotations that
      // exceed the limit of the hub, because three namespaces get them.
      { on: [0], ...annotated({ a: 'x'.repeat(262_120) }) },
      { on: [0], params: {
        ...annotated({ a: 'x'.repeat(200_000) }).params, ...gateway({}).params,
        ...monitored({ monitoringClusterName: 'hub' }).params,
      } },
      { on: [0], ...gateway({ other: 'x'.repeat(400_000) }) },
      { params: { dbConfig: { tolerations: [{ operator: 'Maybe' }] } } },
      monitored({ monitoringClusterName: 'missing' }),
      monitored({ monitoringClusterName: 'hub', logsRetentionPeriods: '0d' }),
      gateway({ infra: { tls: { issuer: 'me' } } }), gateway({ envoy: { service: { portRange: '1-2' } } }),
    ];
    const cases = [
      ...unprocessable.map((body) => ['422 validation_failed', body] as const),
      ...invalid.map(({ on, ...more }) => ['400 invalid_value', (name: string) => params(name, on, more)] as const),
    ];
    for (const [index, [expected, body]] of cases.entries()) {
      const name = nameOf();
      const answer = outcome(await post('create', body(name)));
      expect([index, answer, await statusOf(name)]).toEqual([index, expected, 'NotFound']);
    }
  }, 120_000);

  it.each(['active = false', 'prohibit_login = true'])('is an owner who is %s', async (change) => {
    const [name, user] = [nameOf(), await hub.world.person()];
    await hub.world.database.execute(change.startsWith('active')
      ? sql`update account set active = false where id = ${user.id}`
      : sql`update account set prohibit_login = true where id = ${user.id}`);
    expect(await createOutcome(name, [], { user: { userName: user.username } })).toBe('400 invalid_value');
    expect(await statusOf(name)).toBe('NotFound');
  });

  it('is everything to everybody but site admins, and no status says that something exists', async () => {
    const { boss } = hub.acme;
    const paths = ['/api/v1/user/clients', '/api/v1/user/client/1', '/api/v1/user/client/x/status', '/api/v1/user/client/x/cluster/y/status'];
    for (const path of paths) expect(outcome(await boss.http.get(path))).toBe('403 forbidden');
    const { id, username } = hub.acme.organization;
    for (const name of ['never-heard-of', username]) expect([name, await statusOf(name)]).toEqual([name, 'NotFound']);
    expect(await clusterStatus('never-heard-of', 'x')).toBe('NotFound');
    expect([outcome(await get(String(id))), outcome(await remove(id))]).toEqual(['404 not_found', '404 not_found']);
    expect(outcome(await get('9007199254740991'))).toBe('404 not_found');
    expect(outcome(await get('0'))).toBe('400 invalid_parameter');
  });
});
