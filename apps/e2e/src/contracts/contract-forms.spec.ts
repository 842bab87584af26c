import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FormPart, formBody } from '../orgs/form-body.ts';
import { type Organization, outcome, type Person } from '../orgs/world.ts';
import {
  byAdmin, type ContractWorld, day, emails, inSeconds, ok, quota, type ShownContract, startAcme,
} from './contract-world.ts';

const base = '/api/v1/contracts';
let world: ContractWorld, admin: Person['http'], acme: Organization;

beforeAll(async () => {
  ({ world, admin, acme } = await startAcme());
});
afterAll(async () => world[Symbol.asyncDispose]());

/** Values of parts by name; a list becomes several parts. */
type Parts = Readonly<Record<string, string | readonly string[]>>;
const partsOf = (parts: Parts): FormPart[] => Object.entries(parts).flatMap(([name, content]) =>
  (typeof content === 'string' ? [content] : content).map((one) => ({ name, content: one })));
const required = (): Parts => ({ orgOrUser: 'acme', name: 'Basic', products: 'platform', end: String(inSeconds(day)) });
const create = (parts: Parts, ...files: readonly FormPart[]) =>
  admin.post(base, formBody([...partsOf({ ...required(), ...parts }), ...files]));
const put = (id: number, parts: Parts) => admin.put(`${base}/${id}`, formBody(partsOf(parts)));

describe('POST /contracts with a form', () => {
  it('takes each field as a part of its own', async () => {
    const cluster = randomUUID();
    const [start, end] = [inSeconds(10), inSeconds(day)];
    const restrictions = '{"Postgres":{"versionConstraint":"*"}}';
    const contracts = ok<ShownContract[]>(await create({
      uid: String(acme.id), name: ' Jährlich ', products: ['productvault', 'platform'], start: String(start), end: String(end),
      contactPerson: ['a@example.org', 'b@example.org'], financeTeam: '["c@example.org","d@example.org"]',
      usageAlertAdmin: 'e@example.org', enabled: 'true', metric: 'cpu_core_month', limit: '1.5e1',
      alertThresholds: ['90', '50'], disableLicenseOnLimitReached: '1',
      clusters: JSON.stringify([{ cluster, displayName: 'lab', tags: ['x'] }]),
      allowOffline: 'TRUE', autoAssignCluster: 'false', disableAnalytics: '0', enableClientBilling: 'true', restrictions,
      id: 'ignored', revoked: 'nonsense', documentPath: '../x', associatedCluster: '{', unknown: 'x',
    }), 201);
    expect(contracts.map(({ product }) => product)).toEqual(['productvault', 'platform']);
    for (const contract of contracts) {
      expect(contract).toMatchObject({
        uid: acme.id, orgOrUser: 'acme', name: 'Jährlich', start, end, revoked: false, documentPath: '', restrictions,
        allowOffline: true, autoAssignCluster: false, disableAnalytics: false, enableClientBilling: true,
        emails: emails({
          contactPerson: ['a@example.org', 'b@example.org'], financeTeam: ['c@example.org', 'd@example.org'],
          usageAlertAdmin: ['e@example.org'],
        }),
        quota: {
          enabled: true, metric: 'cpu_core_month', limit: 15, alertThresholds: [50, 90], disableLicenseOnLimitReached: true,
        },
        clusters: [{ cluster, displayName: 'lab', clusterStatus: { tags: ['x'] } }],
      });
    }
  });

  it.each<[string, Parts, object]>([
    ['a list as one part with a JSON array', { products: '["platform"]', features: '["scanner"]' }, { features: ['scanner'] }],
    ['a list as repeated parts', { features: ['scanner', 'platform', 'scanner'] }, { features: ['platform', 'scanner'] }],
    ['a JSON part', { emails: '{"financeTeam":["a@example.org"],"usageAlertClient":"b@example.org"}', quota: '{"limit":2}' },
      { emails: emails({ financeTeam: ['a@example.org'], usageAlertClient: ['b@example.org'] }), quota: quota({ limit: 2 }) }],
    ['bracket names', { 'emails[financeTeam]': ['a@example.org', 'b@example.org'], 'quota[limit]': '3', 'quota[alertThresholds]': '[7]' },
      { emails: emails({ financeTeam: ['a@example.org', 'b@example.org'] }), quota: quota({ limit: 3, alertThresholds: [7] }) }],
    ['a bracket name over a JSON part', { 'quota[limit]': '3', quota: '{"limit":2,"alertThresholds":[5]}' },
      { quota: quota({ limit: 3, alertThresholds: [5] }) }],
    ['a flat name over both', { limit: '4', 'quota[limit]': '3', quota: '{"limit":2}', metric: 'clusters', 'quota[metric]': 'pods' },
      { quota: quota({ limit: 4, metric: 'clusters' }) }],
    ['a flat list over both', {
      emails: '{"financeTeam":["a@example.org"],"licenseUsers":["l@example.org"]}', 'emails[financeTeam]': 'b@example.org',
      financeTeam: 'c@example.org',
    }, { emails: emails({ financeTeam: ['c@example.org'], licenseUsers: ['l@example.org'] }) }],
    ['null in a JSON part as absent', { quota: 'null', emails: '{"financeTeam":null}' }, { quota: quota({}), emails: emails({}) }],
  ])('takes %s', async (_, parts, expected) => {
    expect(ok<ShownContract[]>(await create(parts), 201)[0]).toMatchObject(expected);
  });

  it.each<[string, Parts, FormPart, object]>([
    ['ignores an empty document without a file name, and parts of unknown names', { document: '' },
      { name: 'picture', filename: 'a.png', content: 'x' }, { name: 'Basic', documentPath: '' }],
    ['reads a part with a file name as its field asks', { name: [] },
      { name: 'name', filename: 'n', content: 'Other' }, { name: 'Other' }],
  ])('%s', async (_, parts, file, expected) => {
    expect(ok<ShownContract[]>(await create(parts, file), 201)[0]).toMatchObject(expected);
  });

  it.each<[string, Parts, string, string?]>([
    ['a missing name', { name: [] }, '422 validation_failed', 'name'],
    ['a missing end', { end: [] }, '422 validation_failed', 'end'],
    ['missing products', { products: [] }, '422 validation_failed', 'products'],
    ['no products', { products: '[]' }, '400 empty_list', 'products'],
    ['an empty name', { name: '' }, '400 invalid_value', 'name'],
    ['a name given twice', { name: ['a', 'b'] }, '422 validation_failed', 'name'],
    ['an end that is no number', { end: 'soon' }, '422 validation_failed', 'end'],
    ['an end with a fraction', { end: '4102444800.5' }, '422 validation_failed', 'end'],
    ['an end beyond 2^53', { end: '9007199254740993' }, '422 validation_failed', 'end'],
    ['an empty number', { start: '' }, '422 validation_failed', 'start'],
    ['an invalid boolean', { allowOffline: 'yes' }, '422 validation_failed', 'allowOffline'],
    ['an empty boolean', { allowOffline: '' }, '422 validation_failed', 'allowOffline'],
    ['a limit that is no number', { limit: '1,5' }, '422 validation_failed', 'quota.limit'],
    ['a limit without end', { limit: '1e999' }, '422 validation_failed', 'quota.limit'],
    ['a threshold that is no integer', { alertThresholds: ['50', '1.5'] }, '422 validation_failed', 'quota.alertThresholds[1]'],
    ['a threshold above 100', { alertThresholds: '101' }, '400 invalid_quota', 'quota.alertThresholds[0]'],
    ['an unknown metric', { metric: 'pods' }, '400 invalid_quota', 'quota.metric'],
    ['a negative limit', { limit: '-1' }, '400 invalid_quota', 'quota.limit'],
    ['an invalid address', { financeTeam: ['a@example.org', 'nobody'] }, '400 invalid_email', 'emails.financeTeam[1]'],
    ['clusters that are no JSON', { clusters: 'one' }, '422 validation_failed', 'clusters'],
    ['clusters that are an object', { clusters: '{}' }, '422 validation_failed', 'clusters[0].cluster'],
    ['a cluster without UUID', { clusters: '[{"cluster":"one"}]' }, '400 invalid_value', 'clusters[0].cluster'],
    ['clusters in two parts', { clusters: ['[]', '[]'] }, '422 validation_failed', 'clusters[0]'],
    ['emails that are a list', { emails: '[]' }, '422 validation_failed', 'emails'],
    ['a quota that is no JSON', { quota: '{' }, '422 validation_failed', 'quota'],
    ['a quota with a wrong type', { quota: '{"limit":"2"}' }, '422 validation_failed', 'quota.limit'],
    ['a list with a number', { features: '["scanner",1]' }, '422 validation_failed', 'features[1]'],
    ['an unknown feature', { features: 'nothing' }, '400 invalid_value', 'features[0]'],
    ['restrictions that are no JSON', { restrictions: '{' }, '400 invalid_value', 'restrictions'],
    ['NUL in a text', { name: 'a\0b' }, '422 validation_failed', 'name'],
  ])('refuses %s', async (_, parts, expected, path) => {
    const answer = await create(parts);
    expect(outcome(answer)).toBe(expected);
    expect(answer.json<{ errors: { path: string }[] }>().errors[0]!.path).toBe(path);
  });

  it.each<[string, FormPart[], string]>([
    ['two documents', [{ name: 'document', filename: 'a', content: 'x' }, { name: 'document', filename: 'b', content: 'y' }], '422 validation_failed'],
    ['an empty document', [{ name: 'document', filename: 'a.pdf', content: '' }], '422 validation_failed'],
    ['a text that is not UTF-8', [{ name: 'restrictions', content: Buffer.from([0x7b, 0xff]) }], '422 validation_failed'],
    ['more than 1000 parts', Array.from({ length: 1_000 }, () => ({ name: 'x', content: '' })), '413 body_too_large'],
  ])('refuses %s', async (_, parts, expected) => {
    expect(outcome(await create({}, ...parts))).toBe(expected);
  });

  it('refuses what is no form, and a form that is cut, and creates nothing', async () => {
    const list = () => admin.get(`${base}?org=acme`);
    const before = (await list()).header('x-total-count');
    const file = { name: 'document', filename: 'a.pdf', content: Buffer.alloc(200_000) };
    const { body, headers: { 'content-type': type } } = formBody([...partsOf(required()), file]);
    const post = async (sent: Uint8Array | string, said = type) =>
      outcome(await admin.post(base, { body: sent, headers: { 'content-type': said } }));
    for (const other of ['text/plain', 'multipart/mixed; boundary=spec-boundary']) {
      expect([other, await post(body, other)]).toEqual([other, '415 unsupported_media_type']);
    }
    expect(await post(body, 'multipart/form-data')).toBe('422 malformed_body');
    expect(await post(body, 'multipart/form-data; boundary=other')).toBe('422 malformed_body');
    for (const sent of ['', 'nonsense', body.subarray(0, 100_000), body.subarray(0, body.length - 30)]) {
      expect([sent.length, await post(sent)]).toEqual([sent.length, '422 malformed_body']);
    }
    // The client disconnects in the middle of the document.
    const head = `POST ${base} HTTP/1.1\r\nHost: x\r\nAuthorization: token ${world.siteAdmin.token}\r\n`
      + `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const half = Buffer.concat([Buffer.from(head), body.subarray(0, body.length / 2)]);
    expect((await admin.exchange(half, { end: true })).filter(({ status }) => status < 400)).toEqual([]);
    expect((await list()).header('x-total-count')).toBe(before);
  });

  it('is JSON without a document, too', async () => {
    const json = { orgOrUser: 'acme', name: 'Basic', products: ['platform'], end: inSeconds(day) };
    const post = (given: object) => admin.post(base, { json: { ...json, ...given } });
    for (const given of [{}, { document: null }]) expect(outcome(await post(given))).toBe('201');
    for (const document of ['x', { upload: 'x' }]) {
      expect(outcome(await post({ document }))).toBe('422 validation_failed');
    }
    const flat = ok<ShownContract[]>(await post({ limit: 5, financeTeam: 'nobody' }), 201);
    expect(flat[0]).toMatchObject({ quota: quota({}), emails: emails({}) });
  });
});

describe('PUT /contracts/{id} with a form', () => {
  it('changes the parts given, and merges lists of addresses and quota by subfield', async () => {
    const [contract] = ok<[ShownContract]>(await create({
      financeTeam: 'a@example.org', licenseUsers: 'b@example.org', limit: '2', alertThresholds: ['50'],
    }), 201);
    const changed = ok(await put(contract.id, {
      name: 'Other', licenseUsers: ['c@example.org', 'd@example.org'], alertThresholds: '[80]', allowOffline: 'true',
      clusters: 'ignored', products: 'ignored', product: 'platform', uid: String(acme.id),
    }));
    expect(changed).toEqual({
      ...contract, name: 'Other', allowOffline: true, quota: quota({ limit: 2, alertThresholds: [80] }),
      emails: emails({ financeTeam: ['a@example.org'], licenseUsers: ['c@example.org', 'd@example.org'] }),
    });
    expect(ok(await put(contract.id, { licenseUsers: '[]' }))).toMatchObject({ emails: { licenseUsers: [] } });
    expect(ok(await put(contract.id, { emails: JSON.stringify(emails({})), quota: '{"enabled":false}' })))
      .toMatchObject({ emails: emails({}), quota: { enabled: false } });
  });

  it.each<[Parts, string]>([
    [{ uid: '1' }, '400 invalid_value'],
    [{ product: 'productdb' }, '400 invalid_value'],
    [{ name: '' }, '400 invalid_value'],
    [{ end: 'x' }, '422 validation_failed'],
    [{ enabled: 'true' }, '400 invalid_quota'],
    [{ contactPerson: 'x' }, '400 invalid_email'],
  ])('refuses %j: %s', async (parts, expected) => {
    const { id } = await world.contract(acme.id);
    expect(outcome(await put(id, parts))).toBe(expected);
    expect(await world.events(id)).toEqual(byAdmin('contract.created'));
  });

  it('takes a form with no part that counts as no change', async () => {
    const contract = await world.contract(acme.id);
    expect(ok(await put(contract.id, { unknown: 'x' }))).toEqual(contract);
    expect(outcome(await put(999_999, { unknown: 'x' }))).toBe('404 not_found');
  });
});
