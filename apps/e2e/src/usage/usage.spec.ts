import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { holding, shareOf, until } from '@platform/testing';
import { bind, day, inSeconds, ok } from '../contracts/contract-world.ts';
import { adminCommand } from '../operator-command.ts';
import { type Organization, outcome, type Person } from '../orgs/world.ts';
import { name as floodName } from './event-flood.proof.ts';
import { tryTurns } from './flood-turns.ts';
import { name as reportsName, tryReports } from './namespace-reports.proof.ts';
import { siteInfo } from './reported.ts';
import { name, tryIsolation } from './usage-isolation.proof.ts';
import { startUsageWorld, type UsageMember, type UsageWorld } from './usage-world.ts';

interface View {
  readonly totals: Readonly<Record<string, unknown>>;
  readonly series: readonly { key: string; points: readonly object[] }[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

const uid = 'a9a0f7d2-0a32-4c0b-8f7e-51d4f4c9f101';
/** A month whose usage has long been final. */
const january = '/api/v1/dashboard/summary/2026/01/usage-report/products';

let world: UsageWorld;
let admin: Person['http'];
let owner: Person;
let viewer: Person;
let acme: Organization;
let other: Organization;
let member: UsageMember;

beforeAll(async () => {
  world = await startUsageWorld();
  admin = world.siteAdmin.http;
  [owner, viewer] = [await world.person(), await world.person()];
  [acme, other] = [await world.organization(owner, { username: 'acme' }), await world.organization(owner)];
  await world.join(owner, acme.teams.Viewers, viewer);
  member = await world.member(acme, 'productdb-enterprise');
  // One core and 2 GiB for the first ten days of January, changed to half by an update, then deleted.
  await world.enter(member, [
    { uid, time: '2026-01-01T00:00:00Z', repeatedUntil: '2026-01-06T00:00:00Z', cpu: '1', memory: '2Gi', mode: 'prod' },
    {
      uid, generation: 2, action: 'updated', time: '2026-01-06T00:00:00Z', repeatedUntil: '2026-01-11T00:00:00Z',
      cpu: '500m', memory: '1Gi', mode: 'prod',
    },
    { uid, generation: 3, action: 'deleted', time: '2026-01-11T00:00:00Z' },
  ]);
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

const ofObject = () => `clusters/${member.clusterUid}/objects/${uid}`;
const get = (path: string, http = admin) => http.get(`/api/v1/dashboard/summary/${path}`);
const view = async (name: string, query = '', org = 'acme') =>
  ok<View>(await admin.get(`${january}/productdb/views/${name}?org=${org}${query}`));
/** Reads a view until it has the expected content: usage is renewed in the background (open-points 7.1). */
const eventually = (name: string, isSo: (shown: View) => boolean, query = '') => until(async () => {
  const shown = await view(name, query);
  return isSo(shown) && shown;
}, { within: 60_000, what: `${name} shows it` });

describe('a month', () => {
  it('shows what objects used, by day', async () => {
    const shown = await eventually('objects-usage-view', ({ rows }) => rows.length === 1);
    const none = { cpu: 0, memory: 0 };
    const days = Array.from({ length: 10 }, (_, place) => ({
      date: `2026-01-${String(place + 1).padStart(2, '0')}`,
      unbilled: place < 5 ? { cpu: 1440, memory: 2880 } : { cpu: 720, memory: 1440 },
    }));
    expect(shown).toEqual({
      product: 'productdb', view: 'objects-usage-view', viewType: 'total',
      period: { year: 2026, month: 1, start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00Z' },
      owner: { id: acme.id, name: 'acme' }, filters: {}, units: { cpu: 'core-minute', memory: 'gib-minute' },
      totals: { cpu: 7.5 * 1440, memory: 15 * 1440 },
      series: [{ key: uid, name: 'orders', points: days.map(({ date, unbilled }) => ({ date, ...unbilled })) }],
      days: days.map((one) => ({ ...one, prod: none, nonProd: none, free: none })),
      rows: [{
        objectID: uid, group: 'kubedb.com', kind: 'Postgres', name: 'orders', namespace: 'demo',
        namespaceUID: '0d6f1c52-98a1-4a54-a8f5-6a1d2c7b9e03', clusterUID: member.clusterUid, clusterName: '',
        mode: 'prod', usage: { cpu: 7.5 * 1440, memory: 15 * 1440 },
      }],
      generatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/), final: true,
    });
  });

  it('is named by number or English name, and shown for the owner alone', async () => {
    for (const month of ['1', '01', 'January', 'jANUARY']) {
      const path = `2026/${month}/usage-report/products/productdb/views/gks-usage-view`;
      expect(outcome(await get(`${path}?org=acme`))).toBe('200');
    }
    expect(ok(await get('generated-months?org=acme'))).toEqual({ yearMonthList: { 2026: ['January'] } });
    expect(ok(await get(`generated-months?org=${other.username}`))).toEqual({ yearMonthList: {} });
    const kinds = `${january}/productdb/views/gks-usage-view`;
    expect(outcome(await admin.get(`${kinds}?org=${other.username}`))).toBe('404 not_found');
    const all = await view('gks-usage-view', '', 'administration');
    const row = { ownerID: acme.id, ownerName: 'acme', kind: 'Postgres', objects: 1, clusters: 1 };
    expect(all.rows).toMatchObject([row]);
  });

  it('is refused if it has no usage, lies in the future or is invalid', async () => {
    const views = 'usage-report/products/productdb/views/objects-usage-view?org=acme';
    for (const month of ['2026/02', '2099/01', '2026/13', '26/01', '2026/Jan', '2026/0', '2026/001']) {
      const expected = ['2026/02', '2099/01'].includes(month) ? '404 not_found' : '400 invalid_parameter';
      expect([month, outcome(await get(`${month}/${views}`))]).toEqual([month, expected]);
    }
  });

  it.each([
    ['view_type=', '400 invalid_parameter'], ['view_type=free', '400 invalid_parameter'],
    ['view_type=billable-usage', '200'], ['contractID=x', '400 invalid_parameter'],
    ['contractID=1.5', '400 invalid_parameter'], ['contractID=007', '400 invalid_parameter'],
    ['contractID=-1', '400 invalid_parameter'], ['contractID=0', '200'], ['kind=Postgres&group=kubedb.com', '200'],
  ])('with %s is answered with %s', async (query, expected) => {
    expect(outcome(await admin.get(`${january}/productdb/views/clusters-usage-view?org=acme&${query}`))).toBe(expected);
  });

  it('is filtered by what is asked for', async () => {
    const shown = async (query: string) => (await view('objects-usage-view', query)).rows.length;
    const cluster = member.clusterUid.toUpperCase();
    expect(await shown(`&kind=Postgres&group=kubedb.com&clusterUID=${cluster}&namespace=demo`)).toBe(1);
    expect([await shown('&kind=Redis'), await shown('&namespaceUID=none')]).toEqual([0, 0]);
    expect((await view('objects-usage-view', '&kind=Redis')).filters).toEqual({ kind: 'Redis' });
    expect(outcome(await admin.get(`${january}/productdb/views/objects-usage-view?org=acme&clusterUID=x`)))
      .toBe('400 invalid_parameter');
  });
});

describe('only site admins', () => {
  it('see usage, of an organization that is named', async () => {
    const path = `${january}/productdb/views/contracts-usage-view`;
    expect(outcome(await admin.get(path))).toBe('400 missing_org');
    expect(outcome(await admin.get(`${path}?org=nobody`))).toBe('404 not_found');
    expect(outcome(await owner.http.get(`${path}?org=acme`))).toBe('403 forbidden');
    expect(outcome(await world.nobody.get(`${path}?org=acme`))).toBe('401 unauthenticated');
  });
});

describe('an object', () => {
  it('has a history', async () => {
    const views = '2026/1/usage-report/products/productdb/views';
    const shown = ok<View>(await get(`${views}/object-quota-history-summaries-view/${ofObject()}?org=acme`));
    expect(shown).toMatchObject({
      period: { month: 1 }, final: true, object: { objectID: uid, kind: 'Postgres', deletedAt: '2026-01-11T00:00:00Z' },
      history: [
        { from: '2026-01-01T00:00:00Z', to: '2026-01-06T00:00:00Z', cpu: 1, memory: 2, replicas: 3, event: 'created' },
        { from: '2026-01-06T00:00:00Z', to: '2026-01-11T00:00:00Z', cpu: 0.5, memory: 1, event: 'updated' },
        { from: '2026-01-11T00:00:00Z', cpu: 0, memory: 0, event: 'deleted' },
      ],
    });
    // Outside its months the object stays visible for six months after its deletion.
    expect(outcome(await get(`object-quota-history/${ofObject()}?org=acme`))).toBe('404 not_found');
    for (const missing of [`clusters/${member.clusterUid}/objects/none`, `clusters/${acme.id}/objects/${uid}`]) {
      expect(outcome(await get(`object-quota-history/${missing}?org=acme`))).toMatch(/^40[04] /);
    }
    expect(outcome(await get(`object-quota-history/${ofObject()}?org=${other.username}`))).toBe('404 not_found');
  });

  it('has a summary of its month', async () => {
    const { rows, totals } = await view('object-quota-history-summaries-view');
    expect(rows).toMatchObject([{
      objectID: uid, changes: 1, peak: { cpu: 1, memory: 2 }, current: { cpu: 0, memory: 0 },
      average: { cpu: 0.241935, memory: 0.483871 }, firstSeen: '2026-01-01T00:00:00Z', lastSeen: '2026-01-11T00:00:00Z',
    }]);
    expect(totals).toEqual({ cpu: 0.241935, memory: 0.483871 });
  });
});

describe('a contract', () => {
  it('makes use billable from its start to its revocation, also when it is changed later', async () => {
    const contract = await world.contract(acme.id, {
      products: ['productdb'], start: Date.parse('2026-01-02T00:00:00Z') / 1000, end: inSeconds(30 * day),
    });
    const [bound] = await bind(admin, contract.id, [{ cluster: member.clusterUid }]);
    const month = (minutes: number) => Math.round((minutes * 1e6) / (31 * 1440)) / 1e6;
    const billable = await eventually('contracts-usage-view', ({ rows }) => rows.length === 1, '&view_type=billable');
    const use = { cpu: month(6.5 * 1440), memory: month(13 * 1440) };
    const nothing = { cpu: 0, memory: 0 };
    expect(billable).toMatchObject({
      units: { cpu: 'core-month', memory: 'gib-month' }, totals: { ...use, prod: use, nonProd: nothing, free: nothing },
      rows: [{ contractID: contract.id, contractName: 'Basic', clusters: [{ clusterUID: member.clusterUid }] }],
    });
    expect((await view('objects-cluster-mode-usage-view')).totals).toEqual({ prod: use, nonProd: nothing });
    const modes = await view(`objects-cluster-mode-usage-view/${ofObject()}`);
    expect(modes['intervals']).toEqual([
      { from: '2026-01-02T00:00:00Z', to: '2026-01-06T00:00:00Z', mode: 'prod', cpu: 1, memory: 2 },
      { from: '2026-01-06T00:00:00Z', to: '2026-01-11T00:00:00Z', mode: 'prod', cpu: 0.5, memory: 1 },
    ]);
    const under = async (id: number) => (await view('clusters-usage-view', `&contractID=${id}`)).totals;
    expect(await under(contract.id)).toEqual({ cpu: 6.5 * 1440, memory: 13 * 1440 });
    expect(await under(0)).toEqual({ cpu: 1440, memory: 2880 });
    // Sets the revocation in the past, as if it had been made then.
    await world.rows.execute(sql`update contract set revoked_at = '2026-01-10T00:00:00Z' where id = ${contract.id}`);
    await eventually('clusters-usage-view', ({ totals }) => totals['cpu'] === 6 * 1440, `&contractID=${contract.id}`);
    expect(bound?.cluster).toBe(member.clusterUid);
    expect((await admin.delete(`/api/v1/contracts/${contract.id}`)).status).toBeLessThan(300);
    expect(await under(contract.id)).toEqual({ cpu: 6 * 1440, memory: 12 * 1440 });
  });
});

describe('views as CSV (open-points 18.7)', () => {
  const billable = '&view_type=billable';

  it.each([
    ['objects-usage-view', '', 'rows'], ['objects-usage-view', billable, 'rows'],
    ['clusters-usage-view', billable, 'rows'], ['namespaces-usage-view', '', 'rows'],
    ['gks-usage-view', '', 'rows'], ['contracts-usage-view', billable, 'rows'],
    ['object-quota-history-summaries-view', '', 'rows'], ['object-quota-history-summaries-view/', '', 'history'],
    ['objects-cluster-mode-usage-view', '', 'rows'], ['objects-cluster-mode-usage-view/', '', 'intervals'],
  ])('%s has a column for each field of a row', async (name, query, rows) => {
    const path = `${january}/productdb/views/${name}${name.endsWith('/') ? ofObject() : ''}?org=acme${query}`;
    const shown = ok<Record<string, Record<string, unknown>[]>>(await admin.get(path))[rows]!;
    const csv = await admin.get(`${path}&format=csv`);
    expect(csv.header('content-type')).toContain('text/csv');
    const [header, ...lines] = csv.text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(shown.length);
    expect(new Set(header!.split(','))).toEqual(new Set(header!.split(',')).union(new Set(shown.flatMap(leavesOf))));
  });
});

/** The names of all values in a row; a dot joins the names of nested values. */
function leavesOf(row: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(row).flatMap(([name, value]) => (
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? leavesOf(value as Record<string, unknown>).map((inner) => `${name}.${inner}`)
      : [name]));
}

describe('events of members', () => {
  it('count for the organization whose credentials sent them, and for no other', async () => {
    const own = await world.member(other, 'productvault');
    const time = new Date(Date.now() - 60_000).toISOString();
    await own.send({ uid: 'vault-1', time });
    const foreign = member.subject.replace('productdb-enterprise', 'productvault');
    expect(await own.connection.request(foreign, '{}', 2_000).then(() => 'taken', () => 'refused')).toBe('refused');
    const [year, month] = time.split('-');
    const path = `${year}/${month}/usage-report/products/productvault/views/clusters-usage-view`;
    const shown = await until(async () => {
      const answer = await get(`${path}?org=${other.username}`);
      const rows = answer.status === 200 ? answer.json<View>().rows : [];
      return rows.length === 1 && rows;
    }, { within: 60_000, what: 'the event is counted' });
    expect(shown).toMatchObject([{ clusterUID: own.clusterUid, objects: 1 }]);
    expect(shown[0]).not.toHaveProperty('kinds');
    expect(outcome(await get(`${path}?org=acme`))).toBe('404 not_found');
  });

  it('that are parked are listed and judged again for site admins, as for the operator (open-points 18.5)', async () => {
    const own = await world.member(other, 'productvault');
    await own.send('{"no": "event"}');
    const path = '/api/v1/admin/parked-events';
    const shown = await until(async () => {
      const answer = ok<{ events: { id: number }[] }>(await admin.get(path));
      return answer.events.length === 1 && answer;
    }, { within: 30_000, what: 'the event is parked' });
    expect(shown.events).toMatchObject([{ subject: own.subject, reason: 'malformed', data: '{"no": "event"}' }]);
    expect(shown).toEqual((await adminCommand(world.platform, ['parked-events', 'list'])).answer);
    const [{ id }] = shown.events as [{ id: number }];
    expect(outcome(await admin.get(`${path}?after=none`))).toBe('400 invalid_parameter');
    const replay = (http: Person['http'], json: object) => http.post(`${path}/replay`, { json });
    expect(ok(await replay(admin, { ids: [id] }))).toEqual({ accepted: 0, refused: 1 });
    expect(ok(await replay(admin, { ids: [id + 1] }))).toEqual({ accepted: 0, refused: 0 });
    expect(ok(await admin.post(`${path}/replay`))).toEqual({ accepted: 0, refused: 1 });
    expect([await owner.http.get(path), await replay(owner.http, {})].map(outcome)).toEqual(['403 forbidden', '403 forbidden']);
  });

  it('cannot be sent or heard for others (a share of the proof usage-isolation)', async () => {
    expect(await shareOf({ name, prove: (options) => tryIsolation(world, options) }, 0.05)).toEqual(holding);
  }, 120_000);

  it('take turns with a flood of another organization (a share of the proof event-flood)', async () => {
    expect(await shareOf({ name: floodName, prove: (options) => tryTurns(world, 300, options) }, 0.05)).toEqual(holding);
  }, 120_000);
});

describe('namespace reports', () => {
  it('name each of many objects once, in order (a share of the proof namespace-reports)', async () => {
    expect(await shareOf({ name: reportsName, prove: (options) => tryReports(world, options) }, 0.01)).toEqual(holding);
  }, 120_000);

  it('are for owners, of namespaces on clusters under a contract with client billing', async () => {
    const cluster = await world.member(acme, 'productdb');
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const volume = (name: string) => ({
      uid: name, name, creationTimestamp: '2026-01-02T00:00:00Z', resources: { requests: { storage: '10Gi' } },
    });
    const before = (...volumes: string[]) => ({ uid: 'report-1', spec: { storage: volumes.map(volume) } });
    const pods = ['pod-1', 'pod-2'].map((name) => ({
      uid: name, name, creationTimestamp: '2026-01-02T00:00:00Z',
      containers: [{ name: 'db', resource: { limits: { cpu: '1', memory: '1024Mi' } } }],
    }));
    const namespace = {
      name: 'shop', aceOrgID: String(other.id), creationTimestamp: '2026-01-01T00:00:00Z',
      aceOrgMetadata: { 'client.platform.dev/centre': 'of the event' },
    };
    await world.enter(cluster, [
      { ...before('old', 'new', 'data'), time: ago(8 * 744) },
      { ...before('new', 'data'), time: ago(7 * 744), generation: 2 },
      { uid: 'report-1', time: ago(1), generation: 3, namespace, spec: { pods, storage: [volume('data')] } },
    ]);
    await cluster.send(siteInfo('productdb', '4711', ago(1), {
      kubernetes: { version: { gitVersion: 'v1.33.1' }, nodeStats: { count: 3, capacity: { cpu: '12', memory: '48Gi' } } },
    }));
    const { billing } = world;
    const metadata = { 'client.platform.dev/centre': 'of the creation', 'client.platform.dev/order': '4711' };
    await billing.execute(sql`
      insert into client_cluster (cluster_uid, organization_id, metadata)
      values (${cluster.clusterUid}::uuid, ${other.id}, ${sql.json(metadata)}::jsonb)`);
    const path = '/api/v1/dbaas/billing/reports';
    const list = (http: Person['http']) => http.get(`${path}/namespaces?org=acme`);
    expect(outcome(await list(viewer.http))).toBe('403 forbidden');
    expect(ok<{ namespaces: unknown[] }>(await list(owner.http)).namespaces).toEqual([]);
    const contract = await world.contract(acme.id, { products: ['productdb'], enableClientBilling: true });
    await bind(admin, contract.id, [{ cluster: cluster.clusterUid }]);
    const { namespaces: [shown] } = await until(async () => {
      const found = ok<{ namespaces: { clusterInfo: { capacity: { cpu: string } } }[] }>(await list(owner.http));
      return found.namespaces[0]?.clusterInfo.capacity.cpu === '12' && found;
    }, { within: 60_000, what: 'the namespace is reported' });
    expect(shown).toMatchObject({
      clusterInfo: {
        uid: cluster.clusterUid, provider: 'Generic', version: 'v1.33.1', capacity: { cpu: '12', memory: '48Gi', nodes: 3 },
      },
      namespaceInfo: {
        name: 'shop', clientOrgID: String(other.id), clientOrgName: other.username,
        creationTimestamp: Date.parse('2026-01-01T00:00:00Z') / 1000,
        annotations: { 'client.platform.dev/centre': 'of the event', 'client.platform.dev/order': '4711' },
      },
      databases: [{
        databaseInfo: { uid: 'report-1', kind: 'Postgres', product: 'productdb', name: 'orders' },
        podDetails: [{ flavor: { cpu: '1', memory: '1Gi' }, count: 2 }],
        volumeDetails: [
          { name: 'new', deletedAt: expect.any(Number) }, { name: 'data', initialSize: '10Gi', expansions: [] },
        ],
      }],
    });
    const one = `${path}/clusters/${cluster.clusterUid}/namespaces`;
    expect(ok(await owner.http.get(`${one}/shop?org=acme`))).toMatchObject({ namespaceInfo: { name: 'shop' } });
    // A member may name any id, so the names of organizations that are not clients on the cluster are hidden.
    await billing.execute(sql`delete from client_cluster`);
    expect(ok(await owner.http.get(`${one}/shop?org=acme`))).toMatchObject({
      namespaceInfo: { clientOrgID: String(other.id), clientOrgName: '' },
    });
    expect(outcome(await owner.http.get(`${one}/none?org=acme`))).toBe('404 not_found');
    const refused = await owner.http.get(`${path}/clusters/x/namespaces/shop?org=acme`);
    expect(outcome(refused)).toBe('400 invalid_parameter');
    expect(refused.json<{ errors: { path: string }[] }>().errors[0]!.path).toBe('clusterID');
  });
});
