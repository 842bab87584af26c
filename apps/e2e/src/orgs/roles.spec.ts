import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { organizationHosts } from '../platform.ts';
import { atOnce, outcome, type PeopledOrganization, type Person, refusal, startWorld, type World } from './world.ts';

let world: World, acme: PeopledOrganization, path: string, boss: Person, viewer: Person;
beforeAll(async () => {
  world = await startWorld({ hosts: organizationHosts });
  acme = await world.organizationWith(1);
  boss = acme.boss;
  viewer = acme.people[0]!;
  path = `/api/v1/authz/roles?org=${acme.organization.username}`;
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

interface RoleBody { readonly id: number }

const view = { namespace: 'org_mgmt', action: 'view' };
const viewTeams = { namespace: 'team_mgmt', action: 'view teams' };
const editTeams = { namespace: 'team_mgmt', action: 'edit teams' };
let made = 0;
const nameOfRole = () => `role ${(made += 1)}`;
const pathOf = (id: number | string, rest = '', org = acme.organization.username) =>
  `/api/v1/authz/roles/${id}${rest}?org=${org}`;
const create = (body: unknown, person = boss) => person.http.post(path, { json: body });

async function role(given: object = {}): Promise<RoleBody> {
  const answer = await create({ name: nameOfRole(), permissions: [], ...given });
  expect(answer.status).toBe(201);
  return answer.json<RoleBody>();
}

describe('a role over REST (spec §4.1)', () => {
  it('is created, read, changed and deleted', async () => {
    const { Viewers, Editors } = acme.organization.teams;
    const created = await create({ name: ' Auditor ', permissions: [viewTeams, view, view], teamIDs: [Viewers, Editors, Viewers] });
    expect(created.status).toBe(201);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const body = created.json<RoleBody>();
    expect(body).toEqual({
      id: expect.any(Number), name: 'Auditor', owner_id: acme.organization.id, description: '', permissions: [view, viewTeams],
      team_ids: [Editors, Viewers], created_at: time, updated_at: time,
    });
    expect((await boss.http.get(pathOf(body.id))).json()).toEqual(body);
    const change = { description: 'Looks.', permissions: [] };
    const changed = await boss.http.put(pathOf(body.id), { json: { ...change, teamIDs: null } });
    expect(changed.status).toBe(200);
    expect(changed.json()).toEqual({ ...body, ...change, updated_at: time });
    const principal = { principalType: 'team', description: expect.any(String), organizationID: acme.organization.id };
    expect((await boss.http.get(pathOf(body.id, '/principals'))).json()).toEqual([
      { ...principal, principalID: Editors, name: 'Editors', memberCount: 0 },
      { ...principal, principalID: Viewers, name: 'Viewers', memberCount: 1 },
    ]);
    const gone = await boss.http.delete(pathOf(body.id));
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(outcome(await boss.http.get(pathOf(body.id)))).toBe('404 not_found');
  });

  it.each([
    ['no body', undefined, '422'],
    ['an empty object', {}, '422 validation_failed'],
    ['no permissions', { name: 'a' }, '422 validation_failed'],
    ['null permissions', { name: 'a', permissions: null }, '422 validation_failed'],
    ['a name that is no text', { name: 1, permissions: [] }, '422'],
    ['permissions that are no list', { name: 'a', permissions: view }, '422'],
    ['half a pair', { name: 'a', permissions: [{ namespace: 'org_mgmt' }] }, '422 validation_failed'],
    ['a team id as text', { name: 'a', permissions: [], teamIDs: ['1'] }, '422'],
    ['a blank name', { name: '  ', permissions: [] }, '400 invalid_name'],
    ['a long name', { name: 'x'.repeat(101), permissions: [] }, '400 invalid_name'],
    ['a long description', { name: 'a', description: 'x'.repeat(256), permissions: [] }, '400 invalid_value'],
    ['an unknown pair', { name: 'a', permissions: [{ namespace: 'org_mgmt', action: 'delete' }] }, '400 unknown_permission'],
    ['an unknown team', { name: 'a', permissions: [], teamIDs: [999_999] }, '400 invalid_value'],
    ['more teams than one may have', { name: 'a', permissions: [], teamIDs: [...Array(101).keys()] }, '400 too_many_items'],
  ])('is refused with %s', async (_, body, expected) => {
    expect(outcome(await (body === undefined ? boss.http.post(path) : create(body)))).toContain(expected);
  });

  it('is refused for Owners, a taken name and what the caller does not hold', async () => {
    const { Owners, Viewers } = acme.organization.teams;
    expect(outcome(await create({ name: nameOfRole(), permissions: [], teamIDs: [Owners] }))).toBe('400 owners_team_immutable');
    const one = await role({ name: 'Taken' });
    expect(outcome(await create({ name: 'tAKEN', permissions: [] }))).toBe('409 already_exists');
    const other = await role();
    expect(outcome(await boss.http.put(pathOf(other.id), { json: { name: 'TAKEN' } }))).toBe('409 already_exists');
    const maker = await role({ permissions: [{ namespace: 'role_mgmt', action: 'create roles' }], teamIDs: [Viewers] });
    expect(outcome(await create({ name: nameOfRole(), permissions: [editTeams] }, viewer))).toBe('403 privilege_escalation');
    expect(outcome(await create({ name: nameOfRole(), permissions: [viewTeams] }, viewer))).toBe('201');
    for (const { id } of [one, other, maker]) await boss.http.delete(pathOf(id));
    expect(outcome(await create({ name: nameOfRole(), permissions: [] }, viewer))).toBe('403 forbidden');
  });

  it('puts at most 10 on a team', async () => {
    const { Editors } = acme.organization.teams;
    const ten = await atOnce(10, () => role({ teamIDs: [Editors] }));
    expect(outcome(await create({ name: nameOfRole(), permissions: [], teamIDs: [Editors] }))).toBe('400 too_many_roles');
    for (const { id } of ten) await boss.http.delete(pathOf(id));
  });
});

describe('ids and organizations (open-points 1.4, 1.5, 1.7)', () => {
  const every = (id: number | string) => [
    ({ http }: Person) => http.get(pathOf(id)),
    ({ http }: Person) => http.put(pathOf(id), { json: {} }),
    ({ http }: Person) => http.delete(pathOf(id)),
    ({ http }: Person) => http.get(pathOf(id, '/principals')),
  ];

  it.each(['abc', '0', '-1', '1.5', '01', '9007199254740993', '%20'])('an id %s is 400', async (id) => {
    for (const call of every(id)) expect(outcome(await call(boss))).toBe('400 invalid_parameter');
  });

  it('missing and foreign ids have one answer: 404 for who could, 403 for the others', async () => {
    const other = await world.organizationWith(0);
    const { username } = other.organization;
    const json = { name: 'foreign', permissions: [] };
    const { id } = (await other.boss.http.post(`/api/v1/authz/roles?org=${username}`, { json })).json<RoleBody>();
    const missing = every(999_999);
    for (const [index, call] of every(id).entries()) {
      const [one, two] = [await call(boss), await missing[index]!(boss)];
      expect(outcome(one)).toBe('404 not_found');
      expect(refusal(one)).toEqual(refusal(two));
    }
    const byViewer = await Promise.all([id, 999_999].flatMap((one) => every(one).map((call) => call(viewer))));
    const expected = ['404 not_found', '403 forbidden', '403 forbidden', '404 not_found'];
    expect(byViewer.map(outcome)).toEqual([...expected, ...expected]);
    expect(outcome(await other.boss.http.get(pathOf(id, '', username)))).toBe('200');
  });

  it('the organization must be named, known, and one of the caller', async () => {
    const stranger = await world.person();
    expect(outcome(await boss.http.get('/api/v1/authz/roles'))).toBe('400 missing_org');
    expect(outcome(await boss.http.get('/api/v1/authz/roles?org=nosuch'))).toBe('404 not_found');
    expect(outcome(await boss.http.get(`/api/v1/authz/roles?org=${boss.username}`))).toBe('404 not_found');
    expect(outcome(await stranger.http.get(path))).toBe('403 not_org_member');
    expect(outcome(await world.nobody.get(path))).toBe('401 unauthenticated');
    expect(outcome(await world.siteAdmin.http.get(path))).toBe('200');
    expect(outcome(await viewer.http.get(path.toUpperCase().replace('/API/V1/AUTHZ/ROLES?ORG', '/api/v1/authz/roles?org')))).toBe('200');
  });
});

describe('lists', () => {
  it('are whole or paged, with their length (open-points 1.8)', async () => {
    const { boss: owner, organization } = await world.organizationWith(0);
    const own = `/api/v1/authz/roles?org=${organization.username}`;
    const empty = await owner.http.get(own);
    expect([empty.json(), empty.header('x-total-count')]).toEqual([[], '0']);
    const ids = await Array.fromAsync({ length: 3 }, async () =>
      (await owner.http.post(own, { json: { name: nameOfRole(), permissions: [] } })).json<RoleBody>().id);
    const second = await owner.http.get(`${own}&page=2&limit=2`);
    expect(second.json<RoleBody[]>().map(({ id }) => id)).toEqual([ids[2]]);
    expect(second.header('x-total-count')).toBe('3');
    expect(second.header('link')).toContain('rel="prev"');
    const past = await owner.http.get(`${own}&page=5&limit=2`);
    expect([past.json(), past.header('x-total-count')]).toEqual([[], '3']);
    expect((await owner.http.get(`${own}&page=1&limit=0`)).json<RoleBody[]>().map(({ id }) => id)).toEqual(ids);
  });
});
