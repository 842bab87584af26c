import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { type Organization, outcome, type Person } from '../orgs/world.ts';
import {
  bind, checked, type ContractWorld, day, inSeconds, issue, ok, type ShownCluster, type ShownContract, startAcme,
} from './contract-world.ts';

const adminBase = '/api/v1/contracts';
const userBase = '/api/v1/user/contracts';
let world: ContractWorld, admin: Person['http'];
let owner: Person, editor: Person, viewer: Person;
let acme: Organization;

beforeAll(async () => {
  ({ world, admin, owner, editor, viewer, acme } = await startAcme());
});
afterAll(async () => world[Symbol.asyncDispose]());

const uuids = (count: number) => Array.from({ length: count }, () => randomUUID());

describe.each([['site admins', adminBase, ''], ['users', userBase, '?org=acme']])('clusters of a contract, for %s', (who, base, query) => {
  const http = () => (who === 'users' ? editor.http : admin);
  const path = (id: number, rest = '') => `${base}/${id}/clusters${rest}${query}`;
  const add = (id: number, json: unknown) => http().post(path(id), { json });

  it('are bound all or none, and answered by ascending id', async () => {
    const { id } = await world.contract(acme.id);
    const [first, second] = uuids(2) as [string, string];
    ok(await add(id, [{ cluster: first.toUpperCase() }]), 201);
    const bound = ok<ShownCluster[]>(await add(id, [{ cluster: second, displayName: 'lab', tags: [' b', 'a', 'b'] }]), 201);
    expect(bound).toEqual([
      {
        id: expect.any(Number), contractId: id, cluster: first, displayName: '', error: '', duplicateContractFeatures: [],
        clusterStatus: { isImported: false, name: '', tags: [], associatedContractId: id },
      },
      expect.objectContaining({
        cluster: second, displayName: 'lab', clusterStatus: { isImported: false, name: '', tags: ['b', 'a'], associatedContractId: id },
      }),
    ]);
    expect(ok(await http().get(path(id)))).toEqual(bound);
    expect(outcome(await add(id, [{ cluster: randomUUID() }, { cluster: second }]))).toBe('400 already_associated');
    expect(ok(await http().get(path(id)))).toEqual(bound);
    const by = who === 'users' ? editor.username : 'platform-admin';
    expect(await world.events(id)).toEqual([
      'platform-admin contract.created', `${by} cluster.added ${first}`, `${by} cluster.added ${second}`,
    ]);
    expect(bound[0]!.id).toBeLessThan(bound[1]!.id);
  });

  const twice = randomUUID();
  it.each([
    [[], '400 empty_list'],
    [[{ cluster: 'lab' }], '400 invalid_value'],
    [[{ cluster: twice }, { cluster: twice.toUpperCase() }], '400 invalid_value'],
    [[{ cluster: randomUUID(), displayName: 'x'.repeat(101) }], '400 invalid_value'],
    [[{ cluster: randomUUID(), displayName: 'a\nb' }], '400 invalid_value'],
    [[{ cluster: randomUUID(), tags: [' '] }], '400 invalid_value'],
    [[{ cluster: randomUUID(), tags: ['x'.repeat(64)] }], '400 invalid_value'],
    [[{ cluster: randomUUID(), tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }], '400 too_many_items'],
    [Array.from({ length: 1_001 }, () => ({ cluster: 'x' })), '400 too_many_items'],
    [[{}], '422 validation_failed'],
    [{}, '422 validation_failed'],
    [[{ cluster: 5 }], '422 validation_failed'],
  ])('refuses a list that is not acceptable (%#)', async (json, expected) => {
    const { id } = await world.contract(acme.id);
    expect(outcome(await add(id, json))).toBe(expected);
  });

  it('are bound to contracts that are not over only', async () => {
    const { id } = await world.contract(acme.id, { start: inSeconds(60), end: inSeconds(120) });
    ok(await add(id, [{ cluster: randomUUID() }]), 201);
    await world.revoke(id);
    expect(outcome(await add(id, [{ cluster: randomUUID() }]))).toBe('400 invalid_contract');
    const { id: late } = await world.contract(acme.id);
    await world.expire(late);
    expect(outcome(await add(late, [{ cluster: randomUUID() }]))).toBe('400 invalid_contract');
    expect(outcome(await add(999_999, [{ cluster: randomUUID() }])))
      .toBe(who === 'users' ? '400 invalid_contract' : '404 not_found');
  });

  it('are renamed, tagged and removed', async () => {
    const { id } = await world.contract(acme.id);
    const cluster = randomUUID();
    const [bound] = ok<ShownCluster[]>(await add(id, [{ cluster }]), 201);
    const patch = async (rest: string, json: object) => {
      const answer = await http().patch(path(id, `/${rest}`), { json });
      return answer.status === 200 ? answer.text : outcome(answer);
    };
    const cc = bound!.id;
    for (const clusterName of [' lab ', 'lab']) expect(await patch(`${cc}/name`, { clusterName })).toBe('');
    for (const tags of [['b', ' a ', 'b'], ['b', 'a']]) expect(await patch(`${cc}/tags`, { tags })).toBe('');
    expect(ok(await http().get(path(id)))).toEqual([{
      ...bound, displayName: 'lab', clusterStatus: { ...bound!.clusterStatus, tags: ['b', 'a'] },
    }]);
    for (const clusterName of [' ', 'x'.repeat(101)]) {
      expect(await patch(`${cc}/name`, { clusterName })).toBe('400 invalid_value');
    }
    expect(await patch(`${cc}/tags`, { tags: [''] })).toBe('400 invalid_value');
    expect(await patch(`${cc}/tags`, { tags: 'x' })).toBe('422 validation_failed');
    for (const rest of ['name', 'tags']) expect(await patch(`${cc}/${rest}`, {})).toBe('422 validation_failed');
    expect(await patch('999999/name', { clusterName: 'lab' })).toBe('404 not_found');
    expect(await patch('999999/tags', { tags: [] })).toBe('404 not_found');
    const { id: other } = await world.contract(acme.id);
    expect(outcome(await http().delete(path(other, `/${cc}`)))).toBe('404 not_found');
    if (who === 'users') expect(outcome(await viewer.http.delete(path(id, `/${cc}`)))).toBe('403 forbidden');
    const removed = await http().delete(path(id, `/${cc}`));
    expect([removed.status, removed.text]).toEqual([200, '']);
    expect(outcome(await admin.delete(`${adminBase}/${id}/clusters/${cc}`))).toBe('404 not_found');
    const [, ...events] = (await world.events(id)).map((line) => line.slice(line.indexOf(' ') + 1));
    expect(events).toEqual([
      `cluster.added ${cluster}`, `cluster.renamed ${cluster}`, `cluster.tags_updated ${cluster}`, `cluster.removed ${cluster}`,
    ]);
  });
});

describe('tags', () => {
  /** A cluster that is bound to a new contract of each of these accounts. */
  const boundTo = async (...owners: readonly number[]) => {
    const cluster = randomUUID();
    const bound: ShownCluster[] = [];
    for (const uid of owners) bound.push((await bind(admin, (await world.contract(uid)).id, [{ cluster }]))[0]!);
    return { cluster, bound };
  };
  const tagsPath = ({ contractId, id }: ShownCluster, base = adminBase) => `${base}/${contractId}/clusters/${id}/tags`;
  const tagsOf = (bound: readonly ShownCluster[]) => Promise.all(bound.map(async ({ contractId }) =>
    ok<ShownCluster[]>(await admin.get(`${adminBase}/${contractId}/clusters`))[0]!.clusterStatus.tags));

  it('are the same for a cluster in all contracts: of all owners by an admin, of this owner by a user', async () => {
    const user = await world.person();
    const { cluster, bound: all } = await boundTo(acme.id, acme.id, user.id);
    const [one, two, foreign] = all;
    checked(await editor.http.patch(`${tagsPath(one!, userBase)}?org=acme`, { json: { tags: ['user'] } }));
    expect(await tagsOf(all)).toEqual([['user'], ['user'], []]);
    checked(await admin.patch(tagsPath(foreign!), { json: { tags: ['user'] } }));
    expect(await tagsOf(all)).toEqual([['user'], ['user'], ['user']]);
    checked(await admin.patch(tagsPath(two!), { json: { tags: [] } }));
    expect(await tagsOf(all)).toEqual([[], [], []]);
    const changes = await Promise.all(all.map(async ({ contractId }) =>
      (await world.events(contractId)).filter((event) => event.endsWith(`cluster.tags_updated ${cluster}`)).length));
    expect(changes).toEqual([2, 2, 2]);
  });

  it('are synced crosswise without a deadlock', async () => {
    const { bound } = await boundTo(acme.id, acme.id, acme.id);
    const answers = await Promise.all(Array.from({ length: 24 }, (_, round) =>
      admin.patch(tagsPath(bound[round % 3]!), { json: { tags: [`round-${round}`] } })));
    expect(answers.map(outcome)).toEqual(answers.map(() => '200'));
    expect(new Set((await tagsOf(bound)).map(String)).size).toBe(1);
  });
});

it('a contract has at most 10,000 clusters, on each route that adds them', async () => {
  const { id, clusters: [first] } = await world.contract(acme.id, { autoAssignCluster: true, clusters: [{ cluster: randomUUID() }] });
  await world.rows.execute(sql`
    insert into contract_cluster (contract_id, cluster_uid) select ${id}, gen_random_uuid() from generate_series(1, 9998)`);
  const bindTwo = () =>
    editor.http.post(`${userBase}/${id}/clusters?org=acme`, { json: uuids(2).map((cluster) => ({ cluster })) });
  expect(outcome(await bindTwo())).toBe('400 too_many_items');
  checked(await editor.http.delete(`${userBase}/${id}/clusters/${first!.id}?org=acme`));
  expect(outcome(await bindTwo())).toBe('201');
  const clusterId = randomUUID();
  const assign = () => editor.http.post(`${userBase}/assign-cluster?org=acme`, { json: { clusterId, contractIds: [id] } });
  expect(outcome(await assign())).toBe('400 too_many_items');
  await world.imported(acme.id, clusterId);
  expect(outcome(await issue(editor.http, { cluster: clusterId }))).toBe('403 quota_exceeded');
  expect((await world.events(id)).filter((event) => event.includes(clusterId))).toEqual([]);
});

describe('POST /user/contracts/assign-cluster', () => {
  const assign = (who: Person, json: object) => who.http.post(`${userBase}/assign-cluster?org=acme`, { json });

  it('binds the cluster to each contract and leaves what is bound', async () => {
    const [one, two] = [await world.contract(acme.id), await world.contract(acme.id)];
    const clusterId = randomUUID();
    await bind(admin, one.id, [{ cluster: clusterId, displayName: 'old', tags: ['x'] }]);
    const statuses = ok<ShownCluster[]>(await assign(editor, { clusterId, displayName: 'new', contractIds: [two.id, one.id] }));
    expect(statuses.map(({ contractId, displayName }) => [contractId, displayName])).toEqual([[two.id, 'new'], [one.id, 'old']]);
    expect(statuses[0]!.duplicateContractFeatures).toEqual([
      { contractId: one.id, product: 'platform', features: ['platform', 'scanner'] },
    ]);
    expect(await world.events(two.id)).toEqual(['platform-admin contract.created', `${editor.username} cluster.added ${clusterId}`]);
    expect(await world.events(one.id)).toHaveLength(2);
    expect(outcome(await assign(viewer, { clusterId, contractIds: [one.id] }))).toBe('403 forbidden');
  });

  it('refuses other contracts than active ones of the account', async () => {
    const { id } = await world.contract(acme.id);
    const { id: foreign } = await world.contract(owner.id);
    const { id: early } = await world.contract(acme.id, { start: inSeconds(60), end: inSeconds(120) });
    const clusterId = randomUUID();
    for (const contractIds of [[id, foreign], [id, early], [id, 999_999]]) {
      expect(outcome(await assign(editor, { clusterId, contractIds }))).toBe('400 invalid_contract');
    }
    expect(await world.events(id)).toHaveLength(1);
    const cases: [object, string][] = [
      [{ clusterId, contractIds: [] }, '400 empty_list'],
      [{ clusterId: 'lab', contractIds: [id] }, '400 invalid_value'],
      [{ clusterId, contractIds: [id, id] }, '400 invalid_value'],
      [{ clusterId, contractIds: [0] }, '400 invalid_value'],
      [{ clusterId, contractIds: Array.from({ length: 101 }, (_, index) => index + 1) }, '400 too_many_items'],
      [{ clusterId }, '422 validation_failed'],
      [{ contractIds: [id] }, '422 validation_failed'],
      [{ clusterId, contractIds: ['1'] }, '422 validation_failed'],
    ];
    for (const [json, expected] of cases) expect([json, outcome(await assign(editor, json))]).toEqual([json, expected]);
  });
});

describe('the status of clusters', () => {
  const status = async (http: Person['http'], cluster: string, query = '', base = adminBase) =>
    ok<ShownCluster>(await http.get(`${base}/active/associated-clusters/${cluster}/status${query}`));

  it('is that of the active contract that ends last, or of the contract named', async () => {
    const cluster = randomUUID();
    const [short, long, early] = [
      await world.contract(acme.id), await world.contract(acme.id, { end: inSeconds(2 * day) }),
      await world.contract(acme.id, { start: inSeconds(day), end: inSeconds(9 * day) }),
    ];
    for (const { id } of [short, long, early]) await bind(admin, id, [{ cluster, displayName: `in ${id}` }]);
    for (const [http, base, query] of [
      [admin, adminBase, '?org=acme'], [admin, adminBase, `?orgOrUserId=${acme.id}`],
      [admin, adminBase, `?orgOrUserId=${acme.id}&org=${owner.username}`], [viewer.http, userBase, '?org=acme'],
    ] as const) {
      expect(await status(http, cluster.toUpperCase(), query, base)).toMatchObject({ contractId: long.id, cluster });
      const named = await status(http, cluster, `${query}&contract=${early.id}`, base);
      expect(named).toMatchObject({ contractId: early.id, displayName: `in ${early.id}` });
      expect(named.duplicateContractFeatures.map(({ contractId }) => contractId)).toEqual([short.id, long.id]);
    }
    expect(await status(admin, cluster, '?orgOrUserId=0')).toEqual({
      id: 0, contractId: 0, cluster, displayName: '', error: '', duplicateContractFeatures: [],
      clusterStatus: { isImported: false, name: '', tags: [], associatedContractId: 0 },
    });
  });

  it.each([
    [adminBase, '/x/status', '400 invalid_parameter'],
    [adminBase, `/${randomUUID()}/status?orgOrUserId=x`, '400 invalid_parameter'],
    [adminBase, `/${randomUUID()}/status?orgOrUserId=999999`, '404 not_found'],
    [adminBase, `/${randomUUID()}/status?contract=0`, '400 invalid_parameter'],
    [adminBase, `/${randomUUID()}/status?contract=x`, '400 invalid_parameter'],
    [adminBase, `/${randomUUID()}/status?contract=999999`, '404 not_found'],
    [userBase, `/${randomUUID()}/status?contract=0`, '400 invalid_parameter'],
    [userBase, `/${randomUUID()}/status?contract=999999`, '404 not_found'],
    [userBase, '/x/status', '400 invalid_parameter'],
  ])('%s%s: %s', async (base, path, expected) => {
    expect(outcome(await admin.get(`${base}/active/associated-clusters${path}`))).toBe(expected);
  });

  it('of many comes in the order asked for', async () => {
    const { contract: { id }, cluster: bound } = await world.bound(acme.id);
    const unbound = randomUUID();
    const batch = (http: Person['http'], base: string, clusters: unknown, query = '?org=acme') =>
      http.post(`${base}/active/associated-clusters/batch-status${query}`, { json: { clusters } });
    for (const [http, base] of [[admin, adminBase], [viewer.http, userBase]] as const) {
      const statuses = ok<ShownCluster[]>(await batch(http, base, [unbound, bound.toUpperCase(), bound]));
      expect(statuses.map(({ cluster, contractId }) => [cluster, contractId])).toEqual([[unbound, 0], [bound, id], [bound, id]]);
      expect(ok(await batch(http, base, []))).toEqual([]);
      expect(outcome(await batch(http, base, ['x']))).toBe('400 invalid_value');
      for (const none of ['x', undefined]) expect(outcome(await batch(http, base, none))).toBe('422 validation_failed');
      expect(outcome(await batch(http, base, Array.from({ length: 1_001 }, () => bound)))).toBe('400 too_many_items');
      expect(outcome(await batch(http, base, [bound], '?org=acme&contract=999999'))).toBe('404 not_found');
    }
    const { id: foreign } = await world.contract(owner.id);
    expect(outcome(await batch(admin, adminBase, [bound], `?org=acme&contract=${foreign}`))).toBe('404 not_found');
  });
});

describe('GET /user/contracts/active/associated-clusters', () => {
  it('lists each cluster of active contracts once, by ascending UUID', async () => {
    const user = await world.person();
    const [one, two, revoked] = [
      await world.contract(user.id, { end: inSeconds(2 * day) }), await world.contract(user.id), await world.contract(user.id),
    ];
    const [a, b, c] = uuids(3).sort() as [string, string, string];
    await bind(admin, one.id, [{ cluster: b, displayName: 'latest', tags: ['x', 'y'] }]);
    await bind(admin, two.id, [{ cluster: b, displayName: 'older', tags: ['y', 'z'] }, { cluster: a }]);
    await bind(admin, revoked.id, [{ cluster: c }, { cluster: a }]);
    await world.revoke(revoked.id);
    const path = `${userBase}/active/associated-clusters`;
    const clusters = ok<object[]>(await user.http.get(path));
    expect(clusters).toEqual([
      { associatedContractIDs: [two.id], cluster: a, displayName: '', tags: [] },
      { associatedContractIDs: [one.id, two.id], cluster: b, displayName: 'latest', tags: ['x', 'y', 'z'] },
    ]);
    const paged = await user.http.get(`${path}?limit=1`);
    expect([ok(paged), paged.header('x-total-count')]).toEqual([[clusters[0]], '2']);
  });
});

describe('imported clusters', () => {
  it('are known by their name, and offered while they are not bound', async () => {
    const user = await world.person();
    const [bound, free] = uuids(2) as [string, string];
    const { id } = await world.contract(user.id, { clusters: [{ cluster: bound }] });
    await world.rows.execute(sql`
      insert into imported_cluster (id, owner_id, uid, name, display_name, imported_at, kubernetes_version, node_count,
                                    last_contact_at)
      values (900001, ${user.id}, ${bound}, 'lab', 'Lab', '2026-01-02 03:04:05Z', 'v1.34.0', 3, now()),
             (900002, ${user.id}, ${free}, 'spare', 'Spare', '2026-01-02 03:04:05Z', 'v1.34.0', 3, now()),
             (900003, ${acme.id}, ${free}, 'theirs', '', now(), '', 0, null)`);
    for (const [http, base] of [[admin, adminBase], [user.http, userBase]] as const) {
      expect(ok<ShownCluster[]>(await http.get(`${base}/${id}/clusters`))[0]!.clusterStatus)
        .toMatchObject({ isImported: true, name: 'lab' });
      expect(ok(await http.get(`${base}/${id}/clusters/imported/non-associated`))).toEqual([{
        id: 900_002, displayName: 'Spare', name: 'spare', uid: free, ownerID: user.id, ownerName: user.username,
        provider: 'Generic', kubernetesVersion: 'v1.34.0', nodeCount: 3, createdAt: '2026-01-02T03:04:05Z',
        status: { phase: 'Active' },
      }]);
    }
    expect(outcome(await admin.get(`${adminBase}/999999/clusters/imported/non-associated`))).toBe('400 contract_not_found');
    const shown = async () => ok<ShownContract>(await user.http.get(`${userBase}/${id}`)).clusters[0]!.clusterStatus;
    expect((await shown()).isImported).toBe(true);
    await world.rows.execute(sql`update imported_cluster set removed = true where owner_id = ${user.id}`);
    expect(await shown()).toMatchObject({ isImported: false, name: '' });
    expect(ok(await user.http.get(`${userBase}/${id}/clusters/imported/non-associated`))).toEqual([]);
  });
});
