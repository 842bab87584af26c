import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type Database, sql } from '@platform/postgres';
import { until } from '@platform/testing';
import { ok } from '../contracts/contract-world.ts';
import { organizationHosts } from '../platform.ts';
import { type Organization, outcome, type Person, startWorld, type World } from '../orgs/world.ts';

type Shown = Readonly<Record<string, unknown>>;

const path = '/api/v1/dashboard/system-outages';
let world: World, rows: Database;
let owner: Person;
let acme: Organization;

beforeAll(async () => {
  const nobodyIsThere = '127.0.0.1:9';
  world = await startWorld({
    hosts: [...organizationHosts, 'billing-dashboard'],
    settings: { 'services.clusters': nobodyIsThere, 'services.contractsLicensing': nobodyIsThere },
  });
  owner = await world.person();
  acme = await world.organization(owner, { username: 'acme' });
  const { url, schema } = world.platform.databases['billing-dashboard'];
  rows = connect({ url, schema, applicationName: 'spec', maxConnections: 2 });
}, 120_000);
afterAll(async () => {
  await rows?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

const post = (json: unknown, http = world.siteAdmin.http, query = 'org=acme') => http.post(`${path}/?${query}`, { json });
const report = async (query = '') => ok<{ readonly report: Shown; readonly entries: readonly Shown[] }>(
  await world.siteAdmin.http.get(`${path}/report?org=acme${query}`));
const hour = (hour: number) => `2026-10-01T${String(hour).padStart(2, '0')}:00:00Z`;
const between = (start: number, end: number, given: object = {}) => ({ start: hour(start), end: hour(end), ...given });

describe('an outage', () => {
  it('is recorded, in UTC and whole seconds', async () => {
    const answer = await post({
      accountName: 'ACME', clusterID: 'main', start: '2026-09-01T02:00:00.25+02:00', end: '2026-09-01T01:30:00.9999999Z',
      tags: [' DNS ', 'network', 'DNS'], comments: 'A router failed.', unknown: 1,
    });
    expect(ok<Shown>(answer, 201)).toEqual({
      id: expect.any(Number), accountName: 'acme', accountID: acme.id, clusterID: 'main',
      start: '2026-09-01T00:00:00Z', end: '2026-09-01T01:30:00Z', tags: ['DNS', 'network'],
      comments: 'A router failed.', createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
    expect(await rows.query(sql`select action, actor, subject_ids as "subjectIds" from audit`))
      .toEqual([{ action: 'outage.created', actor: 'platform-admin', subjectIds: [acme.id] }]);
  });

  it('may concern no account and no cluster; empty texts count as absent', async () => {
    const answer = await post(between(0, 1, { accountName: '', clusterID: '', tags: [], comments: '' }));
    const { id } = ok<Shown>(answer, 201);
    expect(answer.json()).toEqual({ id, accountID: 0, ...between(0, 1), createdAt: expect.any(String) });
  });

  it('does not overlap another one of the same account and cluster', async () => {
    const [same, done, overlapping] = [{ accountName: 'acme', clusterID: 'a' }, '201', '409 overlapping'];
    const cases: [object, string][] = [
      [between(10, 12, same), done],
      [between(11, 13, same), overlapping], [between(9, 11, same), overlapping],
      [between(10, 12, same), overlapping], [between(9, 13, same), overlapping],
      // Adjacent outages, other clusters, another account.
      [between(12, 13, same), done], [between(9, 10, same), done],
      [between(10, 12, { ...same, clusterID: 'A' }), done], [between(10, 12, { accountName: 'acme' }), done],
      [between(10, 12, { ...same, accountName: owner.username }), done], [between(10, 12), done],
      [between(11, 12, { clusterID: '' }), overlapping],
    ];
    for (const [json, expected] of cases) expect([json, outcome(await post(json))]).toEqual([json, expected]);
  });

  it('wins alone where many post at once', async () => {
    const outcomes = await Promise.all(Array.from({ length: 16 }, async (_, place) => {
      const start = `2026-08-01T00:${String(place).padStart(2, '0')}:00Z`;
      return outcome(await post({ start, end: '2026-08-01T01:00:00Z', clusterID: 'race' }));
    }));
    expect(outcomes.toSorted()).toEqual(['201', ...Array.from({ length: 15 }, () => '409 overlapping')]);
  });

  const good = between(20, 21);
  it.each<[string, object | string]>([
    ['no start', { end: hour(21) }], ['no end', { start: hour(20) }], ['null', { ...good, start: null }],
    ['end at start', between(20, 20)], ['end before start', between(20, 19)],
    ['a time without zone', { ...good, start: '2026-10-01T20:00:00' }],
    ['an invalid day', { ...good, end: '2026-10-32T20:00:00Z' }],
    ['Unix times', { start: 1, end: 2 }], ['an unknown account', { ...good, accountName: 'nobody' }],
    ['a name that no account can have', { ...good, accountName: '../acme' }],
    ['a hidden system admin', { ...good, accountName: 'org-1-system' }],
    ['a long cluster', { ...good, clusterID: 'x'.repeat(129) }], ['a number as cluster', { ...good, clusterID: 5 }],
    ['21 tags', { ...good, tags: Array.from({ length: 21 }, (_, place) => `t${place}`) }],
    ['a long tag', { ...good, tags: ['x'.repeat(51)] }], ['an empty tag', { ...good, tags: [' '] }],
    ['tags that are no list', { ...good, tags: 'dns' }], ['long comments', { ...good, comments: 'x'.repeat(2_001) }],
    ['NUL', { ...good, comments: '\u0000' }], ['a list', []],
  ])('with %s is refused', async (_, json) => {
    expect(outcome(await post(json))).toMatch(/^422 (?:validation_failed|malformed_body)$/);
  });

  it('has limits that count characters, and tags as they were sent', async () => {
    const tags = Array.from({ length: 20 }, (_, place) => `${place}`.padStart(3, '-') + '😀'.repeat(47));
    const json = { clusterID: '😀'.repeat(128), tags, comments: '😀'.repeat(2_000) };
    expect(outcome(await post(between(20, 21, json)))).toBe('201');
    expect(outcome(await post(between(21, 22, { ...json, tags: [...tags, tags[0]] })))).toBe('422 validation_failed');
  });
});

describe('the report', () => {
  beforeAll(async () => {
    await rows.execute(sql`delete from outage`);
    for (const json of [
      between(0, 3, { accountName: 'acme', clusterID: 'a', tags: ['dns'] }),
      between(3, 4, { accountName: 'acme', clusterID: 'b', tags: ['dns', 'Network'] }),
      between(2, 4, { accountName: owner.username }),
    ]) ok(await post(json), 201);
    // Names arrive with facts of orgs-teams.
    const name = async () => (await report(`&account_id=${owner.id}`)).entries[0]!['accountName'];
    await until(async () => await name() === owner.username, { what: 'the name of the account is known' });
  });

  it('sums up all outages, newest start first', async () => {
    const { report: sums, entries } = await report();
    expect(entries.map(({ start }) => start)).toEqual([hour(3), hour(2), hour(0)]);
    expect(sums).toEqual({
      totalOutages: 3, totalDurationHours: 6,
      topTagsPercentage: [{ tag: 'dns', percentage: 66.7 }, { tag: 'Network', percentage: 33.3 }],
      topAccountsDuration: [
        { entity: 'account', entityName: 'acme', durationHours: 4, percentage: 66.7 },
        { entity: 'account', entityName: owner.username, durationHours: 2, percentage: 33.3 },
      ],
      topClustersDuration: [
        { entity: 'cluster', entityName: 'a', durationHours: 3, percentage: 50 },
        { entity: 'cluster', entityName: 'b', durationHours: 1, percentage: 16.7 },
      ],
    });
  });

  it.each<[string, (id: number) => string, string[]]>([
    ['that end after a time', () => `&start=${hour(3)}`, [hour(3), hour(2)]],
    ['of an account', (id) => `&account_id=${id}`, [hour(3), hour(0)]], ['of a cluster', () => '&cluster_id=a', [hour(0)]],
    ['with any of some tags', () => '&tags=Network&tags=none', [hour(3)]],
    ['of nothing', () => '&cluster_id=none', []], ['with empty filters', () => '&cluster_id=&tags=', [hour(3), hour(2), hour(0)]],
    ['of all filters', (id) => `&start=${hour(0)}&account_id=${id}&cluster_id=a&tags=dns`, [hour(0)]],
  ])('shows outages %s, with their whole durations', async (_, query, starts) => {
    const shown = await report(query(acme.id));
    expect(shown.entries.map(({ start }) => start)).toEqual(starts);
    expect(shown.report['totalOutages']).toBe(starts.length);
  });

  it.each(['start=', 'start=2026-10-01', 'start=now', 'account_id=', 'account_id=x', 'account_id=0', 'account_id=-1'])(
    'refuses %s', async (query) => {
      expect(outcome(await world.siteAdmin.http.get(`${path}/report?org=acme&${query}`))).toBe('400 invalid_parameter');
    },
  );

  it('has tags of its own, each once, by code point', async () => {
    const answer = await world.siteAdmin.http.get(`${path}/tags?org=acme`);
    expect([ok(answer), answer.header('x-total-count')]).toEqual([['Network', 'dns'], '2']);
    expect(ok(await world.siteAdmin.http.get(`${path}/tags?org=acme&per_page=1&page=2`))).toEqual(['dns']);
  });
});

describe('only site admins', () => {
  it('see and record outages, for an organization that is named', async () => {
    const { nobody, siteAdmin } = world;
    const tries = (http: typeof nobody, query = 'org=acme') => Promise.all([
      http.get(`${path}/report?${query}`), http.get(`${path}/tags?${query}`), post({}, http, query),
    ]);
    expect((await tries(nobody)).map(outcome)).toEqual(Array(3).fill('401 unauthenticated'));
    expect((await tries(owner.http)).map(outcome)).toEqual(Array(3).fill('403 forbidden'));
    expect((await tries(siteAdmin.http, '')).map(outcome)).toEqual(Array(3).fill('400 missing_org'));
    expect((await tries(siteAdmin.http, 'org=nobody')).map(outcome)).toEqual(Array(3).fill('404 not_found'));
  });
});
