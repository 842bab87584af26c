import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UserContractServiceService } from '@platform/proto/contracts/v1/user_contract';
import { as, rpcClient } from '@platform/testing';
import { type Organization, outcome, type Person } from '../orgs/world.ts';
import {
  bind, byAdmin, checked, type ContractWorld, day, inSeconds, ok, type ShownContract, startAcme,
} from './contract-world.ts';

const base = '/api/v1/user/contracts';
let world: ContractWorld, admin: Person['http'];
let owner: Person, editor: Person, viewer: Person, stranger: Person;
let acme: Organization;

beforeAll(async () => {
  ({ world, admin, owner, editor, viewer, stranger, acme } = await startAcme());
});
afterAll(async () => world[Symbol.asyncDispose]());

const idsOf = (contracts: readonly ShownContract[]) => contracts.map(({ id }) => id);

/** Contracts in each state, for a new user. */
async function contractsOfEachState() {
  const user = await world.person();
  const make = (given: object = { allowOffline: true }) => world.contract(user.id, given);
  const [active, offline, early, revoked, late] = [
    await make({}), await make(), await make({ start: inSeconds(60), end: inSeconds(120), allowOffline: true }),
    await make(), await make(),
  ];
  await world.revoke(revoked.id);
  await world.expire(late.id);
  return { user, active, offline, early, revoked, late };
}

describe('GET /user/contracts', () => {
  it('lists contracts of the caller in every state, without what only site admins see', async () => {
    const { user, active, offline, early, revoked, late } = await contractsOfEachState();
    const contracts = ok<ShownContract[]>(await user.http.get(base));
    expect(idsOf(contracts)).toEqual([active.id, offline.id, early.id, revoked.id, late.id]);
    const emails = { contactPerson: [], signingAuthority: [], licenseUsers: [], financeTeam: [], usageAlertClient: [] };
    for (const contract of contracts) expect(contract['emails']).toEqual(emails);
    expect(ok(await user.http.get(`${base}?org=${user.username}`))).toEqual(contracts);
    expect(ok(await stranger.http.get(base))).toEqual([]);
  });

  it('lists the contracts of an organization to those who may view them', async () => {
    const { id } = await world.contract(acme.id);
    for (const who of [owner, editor, viewer]) {
      expect(idsOf(ok(await who.http.get(`${base}?org=ACME`)))).toContain(id);
      expect(ok(await who.http.get(base))).toEqual([]);
    }
    expect(outcome(await stranger.http.get(`${base}?org=acme`))).toBe('403 not_org_member');
    expect(outcome(await stranger.http.get(`${base}?org=${owner.username}`))).toBe('404 not_found');
    expect(outcome(await world.nobody.get(base))).toBe('401 unauthenticated');
    expect(idsOf(ok(await admin.get(`${base}?org=acme`)))).toContain(id);
  });

  it('shows the same duplicates in the whole list, in pages and in each contract', async () => {
    const [user, cluster] = [await world.person(), randomUUID()];
    const made: ShownContract[] = [];
    for (const [uid, given] of [
      [user.id, {}], [user.id, { features: ['scanner'] }], [user.id, { features: ['platform'] }],
      [user.id, { start: inSeconds(60), end: inSeconds(120) }], [user.id, {}], [user.id, {}], [acme.id, {}],
    ] as const) {
      const contract = await world.contract(uid, given);
      made.push(contract);
      await bind(admin, contract.id, [{ cluster: randomUUID() }, { cluster, displayName: 'Lab "1"', tags: ['a', 'b,c'] }]);
    }
    const [both, scanner, platform, early, revoked, late, foreign] = made.map(({ id }) => id);
    await world.contract(user.id);
    await world.imported(user.id, cluster);
    await world.revoke(revoked!);
    await world.expire(late!);

    const whole = ok<ShownContract[]>(await user.http.get(base));
    const shown = whole.map(({ id, clusters }) => [id, clusters.map(({ duplicateContractFeatures: duplicates }) =>
      duplicates.map(({ contractId, features }) => [contractId, ...features]))]);
    const all = [[both, 'platform', 'scanner'], [scanner, 'scanner'], [platform, 'platform']];
    expect(shown).toEqual([
      [both, [[], [[scanner, 'scanner'], [platform, 'platform']]]], [scanner, [[], [[both, 'scanner']]]],
      [platform, [[], [[both, 'platform']]]], [early, [[], all]], [revoked, [[], all]], [late, [[], all]],
      [expect.any(Number), []],
    ]);
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push(...ok<ShownContract[]>(await user.http.get(`${base}?page=${page}&limit=2`)));
    expect(pages).toEqual(whole);
    for (const contract of whole) expect(ok(await user.http.get(`${base}/${contract.id}`))).toEqual(contract);
    const ofAll = ok<ShownContract[]>(await admin.get('/api/v1/contracts?org=administration'));
    const clustersOf = (id: number) => ofAll.find((contract) => contract.id === id)!.clusters;
    for (const { id, clusters } of whole) expect(clustersOf(id)).toEqual(clusters);
    expect(clustersOf(foreign!)[1]!.duplicateContractFeatures).toEqual([]);
  });

  it('is the organization for a token of its system admin', async () => {
    const { id } = await world.contract(acme.id);
    const http = world.as(await world.operator.systemAdminToken('acme'));
    expect(idsOf(ok(await http.get(base)))).toContain(id);
    expect(outcome(await http.put(`${base}/${id}/preferences`, { json: {} }))).toBe('403 forbidden');
  });

  it('leaves out over gRPC, too, what only site admins see', async () => {
    const { id } = await world.contract(acme.id, { emails: { usageAlertAdmin: 'secret@example.org' } });
    const client = await rpcClient(UserContractServiceService, world.platform.services['contracts-licensing']);
    const contract = await client.getUserContract({ org: 'acme', id }, as(viewer.token));
    expect(JSON.stringify(contract)).not.toContain('secret@example.org');
  });
});

describe('lists of active contracts', () => {
  it('hold active contracts that allow offline licences', async () => {
    const { user, offline } = await contractsOfEachState();
    expect(idsOf(ok(await user.http.get(`${base}/active-offline-contracts`)))).toEqual([offline.id]);
  });

  it('hold active contracts with a cluster, and say which of their clusters it is', async () => {
    const { user, active, offline, early } = await contractsOfEachState();
    const [cluster, other] = [randomUUID(), randomUUID()];
    for (const { id } of [active, offline, early]) {
      await bind(admin, id, [{ cluster: other }, { cluster, displayName: 'lab' }]);
    }
    const list = async (path: string) => ok<ShownContract[]>(await user.http.get(`${base}/active/${path}`));
    const found = await list(`associated-with/clusters/${cluster.toUpperCase()}`);
    expect(found.map(({ id, associatedCluster }) => [id, associatedCluster])).toEqual([active, offline].map(({ id }) =>
      [id, expect.objectContaining({ cluster, contractId: id, displayName: 'lab' })]));
    expect(idsOf(await list(`associated-with/clusters/${cluster}?onlyOffline=true`))).toEqual([offline.id]);
    expect(idsOf(await list(`not-associated-with/clusters/${cluster}`))).toEqual([]);
    expect(idsOf(await list(`not-associated-with/clusters/${randomUUID()}`))).toEqual([active.id, offline.id]);
    expect(ok<ShownContract[]>(await user.http.get(base))[0]).not.toHaveProperty('associatedCluster');
  });

  it.each(['associated-with', 'not-associated-with'])('%s refuses what is no UUID', async (list) => {
    expect(outcome(await owner.http.get(`${base}/active/${list}/clusters/lab`))).toBe('400 invalid_parameter');
    expect(outcome(await owner.http.get(`${base}/active/${list}/clusters/${randomUUID()}x`))).toBe('400 invalid_parameter');
  });
});

describe('a contract by its id', () => {
  it('is found by its account only', async () => {
    const { id } = await world.contract(acme.id);
    const read = async (who: Person, path = '', query = '?org=acme', of = id) =>
      outcome(await who.http.get(`${base}/${of}${path}${query}`));
    expect(await read(viewer)).toBe('200');
    expect(await read(stranger)).toBe('403 not_org_member');
    for (const who of [viewer, stranger, world.siteAdmin]) expect(await read(who, '', '')).toBe('404 not_found');
    expect(await read(viewer, '/clusters', '')).toBe('404 not_found');
    expect(await read(viewer, '', '?org=acme', 999_999)).toBe('404 not_found');
    for (const [query, of] of [['', id], ['?org=acme', 999_999]] as const) {
      expect(await read(viewer, '/audit', query, of)).toBe('403 forbidden');
      expect(await read(viewer, '/clusters/imported/non-associated', query, of)).toBe('400 contract_not_found');
    }
    const { id: foreign } = await world.contract(stranger.id);
    expect(await read(owner, '', '?org=acme', foreign)).toBe('404 not_found');
  });

  it('shows its events newest first', async () => {
    const { id } = await world.contract(acme.id);
    await world.revoke(id);
    const events = ok<{ contractID: number; addedBy: string; event: string; createdUnix: number }[]>(
      await viewer.http.get(`${base}/${id}/audit?org=acme`),
    );
    expect(events.map(({ contractID, addedBy, event }) => [contractID, addedBy, event])).toEqual([
      [id, 'platform-admin', 'contract.revoked'], [id, 'platform-admin', 'contract.created'],
    ]);
    expect(Math.abs(events[0]!.createdUnix - inSeconds(0))).toBeLessThan(60);
    const paged = await viewer.http.get(`${base}/${id}/audit?org=acme&limit=1&page=2`);
    expect(ok<{ event: string }[]>(paged).map(({ event }) => event)).toEqual(['contract.created']);
  });
});

describe('a change that depends on what was read (open-points 18.8)', () => {
  it.each([
    ['PUT /contracts/{id}', (id: number) => `/api/v1/contracts/${id}`, '', { name: 'Renamed' }],
    ['PUT /user/contracts/{id}/preferences', (id: number) => `${base}/${id}`, '/preferences', { autoAssignCluster: true }],
  ])('%s: is refused by another change, and not by what was observed meanwhile', async (_what, pathOf, below, change) => {
    const cluster = randomUUID();
    const make = async () => {
      const contract = await world.contract(acme.id);
      await bind(admin, contract.id, [{ cluster }]);
      return contract;
    };
    const path = pathOf((await make()).id);
    const target = `${path}?org=acme`;
    const send = (tag: string) => admin.put(`${path}${below}?org=acme`, { json: change, headers: { 'if-match': tag } });
    const read = await admin.get(target);
    const tag = read.header('etag')!;
    const unchanged = { headers: { 'if-none-match': tag } };
    expect((await admin.get(target, unchanged)).status).toBe(304);
    expect((await admin.send('HEAD', target, unchanged)).status).toBe(304);

    // Another contract licenses the same features for the same cluster, so the answer for this one changes.
    await make();
    const observed = await admin.get(target, unchanged);
    expect([observed.status, observed.text === read.text]).toEqual([200, false]);
    expect([outcome(await send('"other"')), outcome(await send(`W/${tag}`))]).toEqual(Array(2).fill('412 precondition_failed'));
    const changed = await send(tag);
    expect([outcome(changed), changed.header('etag')]).toEqual(['200', (await admin.get(target)).header('etag')]);
    expect(outcome(await send(tag))).toBe('412 precondition_failed');
  });
});

describe('PUT /user/contracts/{id}/preferences', () => {
  const put = (who: Person, id: number, json: object, query = '?org=acme') =>
    who.http.put(`${base}/${id}/preferences${query}`, { json });

  it('changes the flag and the recipients, in every state, and nothing else', async () => {
    const contract = await world.contract(acme.id, {
      emails: { usageAlertAdmin: ['admin@example.org'], financeTeam: ['money@example.org'] },
    });
    await world.revoke(contract.id);
    const changed = ok<ShownContract>(await put(editor, contract.id, { autoAssignCluster: true, usageAlertClient: 'a@example.org', name: 'x' }));
    expect(changed).toMatchObject({
      name: 'Basic', autoAssignCluster: true, emails: { usageAlertClient: ['a@example.org'], financeTeam: ['money@example.org'] },
    });
    expect(changed['emails']).not.toHaveProperty('usageAlertAdmin');
    expect(ok(await put(editor, contract.id, {}))).toEqual(changed);
    expect(ok(await put(editor, contract.id, { usageAlertClient: ['a@example.org', 'a@example.org'] }))).toEqual(changed);
    expect(await world.events(contract.id)).toEqual([
      ...byAdmin('contract.created', 'contract.revoked'), `${editor.username} contract.preferences_updated`,
    ]);
    expect(ok(await admin.get(`/api/v1/contracts/${contract.id}`)))
      .toMatchObject({ emails: { usageAlertAdmin: ['admin@example.org'] } });
  });

  it('needs the relation in an organization, and none for their own account', async () => {
    const { id } = await world.contract(acme.id);
    expect(outcome(await put(viewer, id, {}))).toBe('403 forbidden');
    expect(outcome(await put(stranger, id, {}))).toBe('403 not_org_member');
    expect(outcome(await put(editor, id, {}, ''))).toBe('404 not_found');
    const own = await world.contract(stranger.id);
    expect(outcome(await put(stranger, own.id, { autoAssignCluster: true }, ''))).toBe('200');
  });

  it.each([
    [{ usageAlertClient: 'nobody' }, '400 invalid_email'],
    [{ usageAlertClient: [] }, '200'],
    [{ usageAlertClient: 5 }, '422 validation_failed'],
    [{ autoAssignCluster: 'yes' }, '422 validation_failed'],
    [{ usageAlertClient: Array.from({ length: 51 }, (_, index) => `u${index}@example.org`) }, '400 too_many_items'],
  ])('%j: %s', async (json, expected) => {
    const { id } = await world.contract(acme.id);
    expect(outcome(await put(editor, id, json))).toBe(expected);
  });
});

describe('what belongs to others', () => {
  it('is in no answer to customers: addresses that only site admins see', async () => {
    const secret = 'staff-only@example.org';
    const cluster = randomUUID();
    const { id } = await world.contract(acme.id, {
      allowOffline: true, emails: { usageAlertAdmin: [secret] }, clusters: [{ cluster }],
    });
    const paths = [
      '', '/active-offline-contracts', `/active/associated-with/clusters/${cluster}`,
      `/active/not-associated-with/clusters/${randomUUID()}`, '/active/associated-clusters',
      `/active/associated-clusters/${cluster}/status`, `/${id}`, `/${id}/audit`, `/${id}/clusters`,
    ];
    for (const path of paths) {
      const { status, text } = await owner.http.get(`${base}${path}?org=acme`);
      expect([path, status, text.includes('usageAlertAdmin'), text.includes(secret)]).toEqual([path, 200, false, false]);
    }
  });

  it('is out of reach: a binding of another account, in a contract of the caller', async () => {
    const cluster = randomUUID();
    const mine = await world.contract(stranger.id, { allowOffline: true, clusters: [{ cluster: randomUUID() }] });
    const theirs = await world.contract(acme.id, { allowOffline: true, clusters: [{ cluster }] });
    const cc = theirs.clusters[0]!.id;
    for (const contract of [mine, theirs]) {
      const path = `${base}/${contract.id}/clusters/${cc}`;
      const attempts = [
        await stranger.http.delete(path), await stranger.http.post(`${path}/issue-license`),
        await stranger.http.patch(`${path}/name`, { json: { clusterName: 'taken' } }),
        await stranger.http.patch(`${path}/tags`, { json: { tags: ['taken'] } }),
      ];
      expect(attempts.map(outcome)).toEqual(attempts.map(() => '404 not_found'));
    }
    // A binding of the same cluster to their own contract gives them no access to ours.
    ok(await stranger.http.post(`${base}/${mine.id}/clusters`, { json: [{ cluster }] }), 201);
    const [, bound] = ok<ShownContract>(await stranger.http.get(`${base}/${mine.id}`)).clusters;
    expect(bound!.duplicateContractFeatures).toEqual([]);
    checked(await stranger.http.patch(`${base}/${mine.id}/clusters/${bound!.id}/tags`, { json: { tags: ['theirs'] } }));
    expect(ok<ShownContract>(await owner.http.get(`${base}/${theirs.id}?org=acme`)).clusters).toEqual(theirs.clusters);
    const status = await stranger.http.get(`${base}/active/associated-clusters/${cluster}/status?contract=${theirs.id}`);
    expect(outcome(status)).toBe('404 not_found');
  });
});

describe('the end of an account', () => {
  it('that is a user is refused while a contract is active', async () => {
    const user = await world.person();
    const { id } = await world.contract(user.id);
    const remove = () => world.operator.admin.deleteUser({ username: user.username, leaveOrganizations: false }, as(undefined));
    await expect(remove()).rejects.toMatchObject({ reason: 'ORG_IN_USE' });
    await world.revoke(id);
    await expect(remove()).resolves.toEqual({});
  });

  it('waits for active and not started contracts, and takes the others along', async () => {
    const boss = await world.person();
    const org = await world.organization(boss);
    const remove = () => boss.http.delete(`/api/v1/orgs/${org.username}`);
    const { id } = await world.contract(org.id);
    const { id: early } = await world.contract(org.id, { start: inSeconds(day), end: inSeconds(2 * day) });
    expect(outcome(await remove())).toBe('409 org_in_use');
    await world.revoke(id);
    expect(outcome(await remove())).toBe('409 org_in_use');
    await world.revoke(early);
    expect(outcome(await remove())).toBe('204');
    const json = { uid: org.id, name: 'late', products: ['platform'], end: inSeconds(day) };
    expect(outcome(await admin.post('/api/v1/contracts', { json }))).toMatch(/^400 invalid_value$/);
  });
});
