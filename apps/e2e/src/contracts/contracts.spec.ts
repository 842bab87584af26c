import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { type Organization, outcome, type Person } from '../orgs/world.ts';
import {
  byAdmin, type ContractWorld, day, emails, inSeconds, ok, quota, type ShownContract, startAcme,
} from './contract-world.ts';

let world: ContractWorld, admin: Person['http'];
let owner: Person;
let acme: Organization;

beforeAll(async () => {
  ({ world, admin, owner, acme } = await startAcme());
});
afterAll(async () => world[Symbol.asyncDispose]());

const create = (json: object, query = '') => admin.post(`/api/v1/contracts${query}`, { json });
const basic = () => ({ uid: acme.id, name: 'Basic', products: ['platform'], end: inSeconds(day) });

describe('POST /contracts', () => {
  it('creates one contract per product, in the order of the products, with what all have in common', async () => {
    const cluster = randomUUID();
    const before = inSeconds(0);
    const restrictions = '{"Postgres":{"versionConstraint":">=14 <18","distributions":["Official"]}}';
    const contracts = ok<ShownContract[]>(await create({
      orgOrUser: 'ACME', name: ' Yearly ', products: ['productvault', 'platform'], start: before, end: before + day,
      features: [], emails: { financeTeam: ['a@example.org', 'b@example.org', 'a@example.org'], usageAlertAdmin: 'c@example.org' },
      quota: { enabled: true, limit: 3, alertThresholds: [90, 50] },
      clusters: [{ cluster: cluster.toUpperCase(), displayName: ' lab ', tags: [' x ', 'x', 'y'] }],
      allowOffline: true, disableAnalytics: true, enableClientBilling: true, autoAssignCluster: true,
      restrictions, id: 5, revoked: true, documentPath: 'x', unknown: 1,
    }), 201);
    const common = {
      uid: acme.id, orgOrUser: 'acme', name: 'Yearly', start: before, end: before + day, documentPath: '', revoked: false,
      allowOffline: true, disableAnalytics: true, enableClientBilling: true, autoAssignCluster: true, restrictions,
      emails: emails({ financeTeam: ['a@example.org', 'b@example.org'], usageAlertAdmin: ['c@example.org'] }),
      quota: quota({ enabled: true, metric: 'clusters', limit: 3, alertThresholds: [50, 90] }),
    };
    const clusterOf = (contract: ShownContract) => ({
      id: expect.any(Number), contractId: contract.id, cluster, displayName: 'lab',
      clusterStatus: { isImported: false, name: '', tags: ['x', 'y'], associatedContractId: contract.id },
      duplicateContractFeatures: [], error: '',
    });
    const [vault, platform] = contracts as [ShownContract, ShownContract];
    expect(contracts).toEqual([
      {
        ...common, id: vault.id, product: 'productvault', clusters: [clusterOf(vault)],
        features: ['productvault', 'productvault-community', 'productvault-enterprise'],
      },
      { ...common, id: platform.id, product: 'platform', features: ['platform', 'scanner'], clusters: [clusterOf(platform)] },
    ]);
    expect(await world.events(vault.id)).toEqual(byAdmin('contract.created', `cluster.added ${cluster}`));
  });

  it('starts now where no start is given', async () => {
    const before = inSeconds(0);
    const { start } = await world.contract(acme.id);
    expect(start).toBeGreaterThanOrEqual(before);
    expect(start).toBeLessThanOrEqual(inSeconds(0));
  });

  it('gives it to uid, else orgOrUser, else org, else the caller', async () => {
    const { uid: _, ...unowned } = basic();
    const user = await world.person();
    const ownerOf = async (json: object, query?: string) =>
      ok<ShownContract[]>(await create({ ...unowned, ...json }, query), 201)[0]!.uid;
    expect(await ownerOf({ uid: user.id }, '?org=acme')).toBe(user.id);
    expect(await ownerOf({ orgOrUser: user.username }, '?org=acme')).toBe(user.id);
    expect(await ownerOf({ uid: acme.id, orgOrUser: 'acme' })).toBe(acme.id);
    expect(await ownerOf({}, '?org=acme')).toBe(acme.id);
    expect(await ownerOf({}, `?org=${user.username}`)).toBe(user.id);
    expect(await ownerOf({}, '?org=')).toBe(world.siteAdmin.id);
    expect(await ownerOf({})).toBe(world.siteAdmin.id);
  });

  it.each([
    [{ uid: 999_999 }, '400 invalid_value'],
    [{ uid: 0 }, '400 invalid_value'],
    [{ orgOrUser: 'nobody-at-all' }, '400 invalid_value'],
    [{ orgOrUser: 'platform-admin' }, '400 invalid_value'],
    [{ name: '' }, '400 invalid_value'],
    [{ name: ' ' }, '400 invalid_value'],
    [{ name: 'x'.repeat(101) }, '400 invalid_value'],
    [{ name: 'a\tb' }, '400 invalid_value'],
    [{ name: null }, '422 validation_failed'],
    [{ name: 5 }, '422 validation_failed'],
    [{ products: [] }, '400 empty_list'],
    [{ products: undefined }, '422 validation_failed'],
    [{ products: ['platform', 'platform'] }, '400 invalid_value'],
    [{ products: ['community'] }, '400 unsupported_product'],
    [{ products: Array.from({ length: 21 }, () => 'platform') }, '400 too_many_items'],
    [{ features: ['productdb'] }, '400 invalid_value'],
    [{ products: ['platform', 'productdb'], features: ['scanner'] }, '400 invalid_value'],
    [{ end: undefined }, '422 validation_failed'],
    [{ end: 1 }, '400 invalid_value'],
    [{ start: inSeconds(day), end: inSeconds(day) }, '400 invalid_value'],
    [{ start: inSeconds(-day), end: inSeconds(-5) }, '400 invalid_value'],
    [{ end: 253_402_300_800 }, '400 invalid_value'],
    [{ end: 1.5 }, '422 validation_failed'],
    [{ emails: { financeTeam: ['nobody'] } }, '400 invalid_email'],
    [{ emails: { usageAlertAdmin: 'nobody@' } }, '400 invalid_email'],
    [{ emails: { licenseUsers: 'a@example.org' } }, '422 validation_failed'],
    [{ emails: { licenseUsers: Array.from({ length: 51 }, (_, index) => `u${index}@example.org`) } }, '400 too_many_items'],
    [{ quota: { metric: 'pods' } }, '400 invalid_quota'],
    [{ quota: { limit: -1 } }, '400 invalid_quota'],
    [{ quota: { enabled: true } }, '400 invalid_quota'],
    [{ quota: { enabled: true, limit: 1.5 } }, '400 invalid_quota'],
    [{ quota: { alertThresholds: [0] } }, '400 invalid_quota'],
    [{ quota: { alertThresholds: [101] } }, '400 invalid_quota'],
    [{ quota: { alertThresholds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] } }, '400 invalid_quota'],
    [{ quota: { alertThresholds: [1.5] } }, '422 validation_failed'],
    [{ restrictions: 'x' }, '400 invalid_value'],
    [{ restrictions: '[]' }, '400 invalid_value'],
    [{ restrictions: '{"Redis":{}}' }, '400 invalid_value'],
    [{ restrictions: '{"Redis":{"versionConstraint":"newest"}}' }, '400 invalid_value'],
    [{ restrictions: '{"Redis":{"versionConstraint":"*","distributions":[1]}}' }, '400 invalid_value'],
    [{ restrictions: {} }, '422 validation_failed'],
    [{ clusters: [{ cluster: 'one' }] }, '400 invalid_value'],
    [{ clusters: [{}] }, '422 validation_failed'],
    [{ allowOffline: 'yes' }, '422 validation_failed'],
  ])('refuses %j: %s', async (given, expected) => {
    expect(outcome(await create({ ...basic(), ...given }))).toBe(expected);
  });

  it('accepts a usage quota with a fraction', async () => {
    const given = { quota: { enabled: true, metric: 'cpu_core_month', limit: 1.5 } };
    expect(await world.contract(acme.id, given)).toMatchObject(given);
  });

  it('creates none where one of them is refused', async () => {
    const count = async () => (await admin.get('/api/v1/contracts?org=acme')).header('x-total-count');
    const before = await count();
    expect(outcome(await create({ ...basic(), products: ['platform', 'nothing'] }))).toBe('400 unsupported_product');
    expect(await count()).toBe(before);
  });
});

describe('GET /contracts', () => {
  it('lists the contracts of the account named, else of the caller; of all for the administrative organization', async () => {
    const user = await world.person();
    const { id } = await world.contract(user.id);
    const idsOf = async (query: string) =>
      ok<ShownContract[]>(await admin.get(`/api/v1/contracts${query}`)).map((contract) => contract.id);
    expect(await idsOf(`?org=${user.username}`)).toEqual([id]);
    expect(await idsOf('?org=acme')).not.toContain(id);
    const own = await world.contract(world.siteAdmin.id);
    expect(await idsOf('')).toContain(own.id);
    expect(await idsOf('')).not.toContain(id);
    expect(await idsOf('?org=administration')).toEqual(expect.arrayContaining([id, own.id]));
    expect(outcome(await admin.get('/api/v1/contracts?org=nobody-at-all'))).toBe('404 not_found');
  });

  it('comes in pages', async () => {
    const user = await world.person();
    const ids = [];
    for (let index = 0; index < 3; index += 1) ids.push((await world.contract(user.id)).id);
    const path = `/api/v1/contracts?org=${user.username}`;
    const second = await admin.get(`${path}&page=2&limit=2`);
    expect(ok<ShownContract[]>(second).map(({ id }) => id)).toEqual([ids[2]]);
    expect([second.header('x-total-count'), second.header('link')]).toEqual(['3', expect.stringContaining('rel="first"')]);
  });
});

describe('a contract by its id', () => {
  it('is of any account, unless org names another one', async () => {
    const user = await world.person();
    const { id } = await world.contract(user.id);
    const read = async (query: string) => outcome(await admin.get(`/api/v1/contracts/${id}${query}`));
    for (const query of ['', `?org=${user.username}`, '?org=administration']) expect(await read(query)).toBe('200');
    for (const query of ['?org=acme', '?org=platform-admin']) expect(await read(query)).toBe('404 not_found');
    expect(outcome(await admin.get('/api/v1/contracts/999999'))).toBe('404 not_found');
    for (const [method, path] of [
      ['put', ''], ['delete', ''], ['post', '/extend'], ['post', '/revoke'], ['get', '/audit'], ['get', '/clusters'],
    ] as const) {
      const options = method === 'get' || method === 'delete' ? {} : { json: { end: inSeconds(day) } };
      expect([method, path, outcome(await admin[method](`/api/v1/contracts/${id}${path}?org=acme`, options))])
        .toEqual([method, path, '404 not_found']);
    }
    expect(await world.events(id)).toEqual(byAdmin('contract.created'));
  });
});

describe('PUT /contracts/{id}', () => {
  const put = (id: number, json: object) => admin.put(`/api/v1/contracts/${id}`, { json });

  it('changes what is given, merges e-mails and quota, and leaves the rest', async () => {
    const contract = await world.contract(acme.id, {
      emails: { financeTeam: ['a@example.org'], usageAlertAdmin: ['b@example.org'] }, quota: { enabled: true, limit: 2 },
    });
    expect(ok(await put(contract.id, {
      name: 'Other', emails: { usageAlertAdmin: 'c@example.org' }, quota: { alertThresholds: [80] }, features: ['scanner'],
      clusters: [{ cluster: randomUUID() }], uid: acme.id, orgOrUser: 'Acme', product: 'platform', revoked: true, id: 1,
    }))).toEqual({
      ...contract, name: 'Other', features: ['scanner'],
      emails: { ...contract['emails'] as object, usageAlertAdmin: ['c@example.org'] },
      quota: { ...contract['quota'] as object, alertThresholds: [80] },
    });
    expect(await world.events(contract.id)).toEqual(byAdmin('contract.created', 'contract.updated'));
  });

  it('records nothing where nothing changes', async () => {
    const contract = await world.contract(acme.id);
    expect(ok(await put(contract.id, {}))).toEqual(contract);
    expect(ok(await put(contract.id, { name: 'Basic', features: [], end: contract.end }))).toEqual(contract);
    expect(await world.events(contract.id)).toEqual(byAdmin('contract.created'));
  });

  it.each([
    [{ uid: 1 }, '400 invalid_value'],
    [{ orgOrUser: 'other' }, '400 invalid_value'],
    [{ product: 'productdb' }, '400 invalid_value'],
    [{ features: ['productdb'] }, '400 invalid_value'],
    [{ end: 1 }, '400 invalid_value'],
    [{ start: 253_402_300_799 }, '400 invalid_value'],
    [{ name: '' }, '400 invalid_value'],
    [{ emails: { contactPerson: ['x'] } }, '400 invalid_email'],
    [{ quota: { enabled: true } }, '400 invalid_quota'],
    [{ restrictions: '1' }, '400 invalid_value'],
    [{ quota: 5 }, '422 validation_failed'],
  ])('refuses %j: %s', async (json, expected) => {
    const { id } = await world.contract(acme.id);
    expect(outcome(await put(id, json))).toBe(expected);
    expect(await world.events(id)).toEqual(byAdmin('contract.created'));
  });

  it('looks at the body before it looks for the contract', async () => {
    expect(outcome(await put(999_999, { name: '' }))).toBe('400 invalid_value');
    expect(outcome(await put(999_999, { name: 'x' }))).toBe('404 not_found');
  });
});

describe('extend, revoke, delete', () => {
  const extend = (id: number, json: object) => admin.post(`/api/v1/contracts/${id}/extend`, { json });

  it('extends by the end alone, also to an earlier one', async () => {
    const contract = await world.contract(acme.id);
    const end = contract.start + 60;
    expect(ok(await extend(contract.id, { end, name: 'ignored' }))).toEqual({ ...contract, end });
    ok(await extend(contract.id, { end }));
    expect(outcome(await extend(contract.id, { end: contract.start }))).toBe('400 invalid_value');
    for (const json of [{}, { end: null }]) {
      expect(outcome(await extend(contract.id, json))).toBe('422 validation_failed');
    }
    expect(await world.events(contract.id)).toEqual(byAdmin('contract.created', 'contract.extended'));
  });

  it('revokes once; a revoked contract is edited and extended, and stays revoked', async () => {
    const { id, end } = await world.contract(acme.id);
    for (const { status, text } of [await world.revoke(id), await world.revoke(id)]) {
      expect([status, text]).toEqual([200, '']);
    }
    ok(await extend(id, { end: end + 1 }));
    expect(ok(await admin.put(`/api/v1/contracts/${id}`, { json: { name: 'Still' } })))
      .toMatchObject({ name: 'Still', revoked: true, end: end + 1 });
    expect(await world.events(id)).toEqual(
      byAdmin('contract.created', 'contract.revoked', 'contract.extended', 'contract.updated'));
  });

  it('deletes it with all that belongs to it', async () => {
    const { id } = await world.contract(acme.id, { clusters: [{ cluster: randomUUID() }] });
    const answer = await admin.delete(`/api/v1/contracts/${id}`);
    expect([answer.status, answer.text]).toEqual([200, '']);
    for (const path of ['', '/audit', '/clusters']) {
      expect(outcome(await admin.get(`/api/v1/contracts/${id}${path}`))).toBe('404 not_found');
    }
    expect(outcome(await admin.delete(`/api/v1/contracts/${id}`))).toBe('404 not_found');
    // Its events are deleted with it; only the audit of the deletion remains.
    const details = { name: 'Basic', product: 'platform' };
    expect(await world.rows.query(sql`
      select actor, action, subject_ids as "subjects", details from audit where object = ${`contract:${id}`}`))
      .toEqual([{ actor: 'platform-admin', action: 'contract.delete', subjects: [acme.id], details }]);
  });
});

describe('GET /contracts/available_products', () => {
  it('shows products, plans and features by alias', async () => {
    const products = ok<Record<string, unknown>>(await admin.get('/api/v1/contracts/available_products'));
    expect(Object.keys(products).sort()).toEqual(['platform', 'productbackup', 'productdb', 'productingress', 'productvault']);
    expect(products['productbackup']).toEqual({
      DisplayName: 'Product Backup', ProductLine: 'productbackup', TierName: 'enterprise', TwitterHandle: '',
      QuickstartLink: '', MailingLists: [],
      Features: ['productbackup', 'productbackup-community', 'productbackup-enterprise', 'productbackup-ext'],
    });
  });
});

describe('who may', () => {
  it('is only a site admin', async () => {
    const { id } = await world.contract(acme.id);
    for (const path of ['', `/${id}`, `/${id}/audit`, `/${id}/clusters`, '/available_products']) {
      expect(outcome(await owner.http.get(`/api/v1/contracts${path}?org=acme`))).toBe('403 forbidden');
      expect(outcome(await world.nobody.get(`/api/v1/contracts${path}`))).toBe('401 unauthenticated');
    }
  });
});
