import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { organizationHosts } from '../platform.ts';
import { loginsIn, outcome, type PeopledOrganization, type Person, refusal, startWorld, type World } from './world.ts';

let world: World, acme: PeopledOrganization, boss: Person, viewer: Person, path: string;
beforeAll(async () => {
  world = await startWorld({ hosts: organizationHosts });
  acme = await world.organizationWith(1);
  boss = acme.boss;
  viewer = acme.people[0]!;
  path = `${acme.path}/teams`;
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

interface TeamBody { readonly id: number; readonly name: string }

const type = 'kubernetes';
let made = 0;
const nameOfTeam = () => `team ${(made += 1)}`;
const create = (body: unknown, person = boss) => person.http.post(path, { json: body });

async function team(given: object = {}): Promise<TeamBody> {
  const answer = await create({ name: nameOfTeam(), type, ...given });
  expect(answer.status).toBe(201);
  return answer.json<TeamBody>();
}

async function role(permissions: readonly unknown[] = []): Promise<number> {
  const json = { name: `role ${(made += 1)}`, permissions };
  const answer = await boss.http.post(`/api/v1/authz/roles?org=${acme.organization.username}`, { json });
  return answer.json<{ id: number }>().id;
}

describe('a team over REST (spec §4.14)', () => {
  it('is created, read, changed and deleted', async () => {
    const organization = (await boss.http.get(acme.path)).json();
    const created = await create({ name: 'Night shift', type, description: 'Looks after it.' });
    expect(created.status).toBe(201);
    const body = created.json<TeamBody>();
    // Without roles there is no `role_ids`; `units` is always null (open-points 3.5).
    expect(body).toEqual({
      id: expect.any(Number), name: 'Night shift', description: 'Looks after it.', organization, permission: 'read',
      units: null, type,
    });
    const one = `/api/v1/teams/${body.id}`;
    expect((await boss.http.get(one)).json()).toEqual(body);
    const [roleId, change] = [await role(), { name: 'Day shift', permission: 'custom' }];
    const json = { ...change, assignedRoleIDs: [roleId, roleId], description: null };
    const changed = await boss.http.patch(one, { json });
    expect(changed.status).toBe(200);
    expect(changed.json()).toEqual({ ...body, ...change, role_ids: [roleId] });
    const listed = (await boss.http.get(path)).json<TeamBody[]>();
    expect(listed.find(({ id }) => id === body.id)).toEqual({ ...changed.json<TeamBody>(), organization: null });
    const gone = await boss.http.delete(one);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(outcome(await boss.http.get(one))).toBe('404 not_found');
  });

  it('gets no right by default where roles are given, even none', async () => {
    expect(await team({ assignedRoleIDs: [] })).toMatchObject({ permission: 'none' });
  });

  it.each([
    ['no body', undefined, '422'],
    ['no name', { type }, '422 validation_failed'],
    ['no type', { name: 'a' }, '422 validation_failed'],
    ['a null type', { name: 'a', type: null }, '422 validation_failed'],
    ['roles that are no list', { name: 'a', type, assignedRoleIDs: 1 }, '422'],
    ['the right of Owners', { name: 'a', type, permission: 'owner' }, '422 validation_failed'],
    ['an unknown right', { name: 'a', type, permission: 'READ' }, '422 validation_failed'],
    ['an empty type', { name: 'a', type: '' }, '400 invalid_team_type'],
    ['another type', { name: 'a', type: 'github' }, '400 invalid_team_type'],
    ['an empty name', { name: '', type }, '400 invalid_name'],
    ['a malformed name', { name: 'a/b', type }, '400 invalid_name'],
    ['a reserved name', { name: 'NEW', type }, '400 invalid_name'],
    ['the name of Owners', { name: 'owners', type }, '400 invalid_name'],
    ['a long description', { name: 'a', type, description: 'x'.repeat(256) }, '400 invalid_value'],
    ['an unknown role', { name: 'a', type, assignedRoleIDs: [999_999] }, '400 invalid_value'],
    ['11 roles', { name: 'a', type, assignedRoleIDs: [...Array(11).keys()] }, '400 too_many_roles'],
    ['a taken name', { name: 'vIEWERS', type }, '409 already_exists'],
  ])('is refused with %s', async (_, body, expected) => {
    expect(outcome(await (body === undefined ? boss.http.post(path) : create(body)))).toContain(expected);
  });

  it.each([
    ['no name', {}, '422 validation_failed'],
    ['none as a right', { name: 'kept', permission: 'none' }, '422 validation_failed'],
    ['an empty type', { name: 'kept', type: '' }, '400 invalid_team_type'],
    ['a malformed name', { name: ' ' }, '400 invalid_name'],
    ['an unknown role', { name: 'kept', assignedRoleIDs: [999_999] }, '400 invalid_value'],
    ['11 roles', { name: 'kept', assignedRoleIDs: [...Array(11).keys()] }, '400 too_many_roles'],
    ['a taken name', { name: 'Editors' }, '409 already_exists'],
  ])('is not changed with %s', async (_, body, expected) => {
    const one = `/api/v1/teams/${(await team()).id}`;
    const before = (await boss.http.get(one)).json();
    expect(outcome(await boss.http.patch(one, { json: { description: 'no', ...body } }))).toBe(expected);
    expect((await boss.http.get(one)).json()).toEqual(before);
  });

  it('is refused what the caller does not hold', async () => {
    const { Viewers, Editors } = acme.organization.teams;
    const maker = await role(['create teams', 'edit teams'].map((action) => ({ namespace: 'team_mgmt', action })));
    const makers = await team({ assignedRoleIDs: [maker] });
    await world.join(boss, makers.id, viewer);
    const make = async (given: object) => outcome(await create({ name: nameOfTeam(), type, ...given }, viewer));
    const edit = async (id: number, json: object) => outcome(await viewer.http.patch(`/api/v1/teams/${id}`, { json }));
    expect(await make({})).toBe('201');
    expect(await make({ permission: 'write' })).toBe('403 privilege_escalation');
    const strong = await role([{ namespace: 'org_mgmt', action: 'edit' }]);
    expect(await make({ assignedRoleIDs: [strong] })).toBe('403 privilege_escalation');
    expect(await edit(Viewers, { name: 'Viewers', permission: 'write' })).toBe('403 privilege_escalation');
    const rename = { name: 'Editors', description: 'Renamed by a viewer.', permission: 'write' };
    expect(await edit(Editors, rename)).toBe('200');
    await boss.http.delete(`/api/v1/teams/${makers.id}`);
    expect(await make({})).toBe('403 forbidden');
  });
});

describe('Owners', () => {
  it('is immutable, and accepts its present values', async () => {
    const one = `/api/v1/teams/${acme.organization.teams.Owners}`;
    const change = async (json: object) => outcome(await boss.http.patch(one, { json }));
    expect(await change({ name: 'Owners' })).toBe('200');
    expect(await change({ name: 'Owners', type, assignedRoleIDs: [] })).toBe('200');
    for (const other of [{ name: 'Chiefs' }, { permission: 'admin' }, { assignedRoleIDs: [await role()] }]) {
      expect(await change({ name: 'Owners', ...other })).toBe('400 owners_team_immutable');
    }
    expect(outcome(await boss.http.delete(one))).toBe('400 owners_team_immutable');
    expect(outcome(await world.siteAdmin.http.delete(one))).toBe('400 owners_team_immutable');
    expect(outcome(await viewer.http.delete(one))).toBe('403 forbidden');
  });
});

describe('ids and organizations (open-points 1.5, 3.6)', () => {
  const every = (id: number | string) => [
    (person: Person) => person.http.get(`/api/v1/teams/${id}`),
    (person: Person) => person.http.patch(`/api/v1/teams/${id}`, { json: { name: 'taken over' } }),
    (person: Person) => person.http.delete(`/api/v1/teams/${id}`),
  ];

  it.each(['abc', '0', '-1', '1.5', '9007199254740993'])('an id %s is 400', async (id) => {
    for (const call of every(id)) expect(outcome(await call(boss))).toBe('400 invalid_parameter');
  });

  it('a team of another organization is as a missing one, for members, strangers and site admins', async () => {
    const other = await world.organizationWith(0);
    const stranger = await world.person();
    const foreign = every(other.organization.teams.Viewers);
    for (const [index, call] of every(999_999).entries()) {
      const missing = await call(boss);
      expect(outcome(missing)).toBe('404 not_found');
      for (const person of [boss, stranger]) expect(refusal(await foreign[index]!(person))).toEqual(refusal(missing));
      expect(outcome(await call(world.siteAdmin))).toBe('404 not_found');
    }
    const before = (await other.boss.http.get(`${other.path}/teams`)).json<TeamBody[]>();
    expect(before.map(({ name }) => name)).toEqual(['Owners', 'Editors', 'Viewers']);
  });

  it('a member without the relation gets 403, and nobody without a token anything', async () => {
    const { Editors } = acme.organization.teams;
    const outcomes = async (person: Person) => Promise.all(every(Editors).map(async (call) => outcome(await call(person))));
    expect(await outcomes(viewer)).toEqual(['200', '403 forbidden', '403 forbidden']);
    for (const verb of ['GET', 'PATCH', 'DELETE']) {
      expect(outcome(await world.nobody.send(verb, `/api/v1/teams/${Editors}`, {}))).toBe('401 unauthenticated');
    }
    const stranger = await world.person();
    expect(outcome(await stranger.http.get(path))).toBe('403 not_org_member');
    expect(outcome(await stranger.http.get('/api/v1/orgs/nosuch/teams'))).toBe('404 not_found');
    const hidden = await world.organization(await world.person(), { visibility: 'private' });
    expect(outcome(await stranger.http.get(`/api/v1/orgs/${hidden.username}/teams`))).toBe('404 not_found');
  });
});

describe('lists', () => {
  it('are whole or paged, with their length (open-points 1.8)', async () => {
    const { boss: owner, path: own } = await world.organizationWith(0);
    const whole = await owner.http.get(`${own}/teams`);
    expect(whole.json<TeamBody[]>().map(({ name }) => name)).toEqual(['Owners', 'Editors', 'Viewers']);
    expect([whole.header('x-total-count'), whole.header('link')]).toEqual(['3', undefined]);
    const second = await owner.http.get(`${own}/teams?page=2&limit=2`);
    expect(second.json<TeamBody[]>().map(({ name }) => name)).toEqual(['Viewers']);
    expect(second.header('x-total-count')).toBe('3');
    const past = await owner.http.get(`${own}/teams?page=3&limit=2`);
    expect([past.json(), past.header('x-total-count')]).toEqual([[], '3']);
    expect(outcome(await owner.http.get(`${own}/teams?limit=-1`))).toBe('400 invalid_parameter');
  });
});

describe('deleting a team', () => {
  it('ends the membership of those who were in no other', async () => {
    const { organization, boss: owner, path: own } = await world.organizationWith(0);
    const [only, both] = [await world.person(), await world.person()];
    await world.join(owner, organization.teams.Editors, only, both);
    await world.join(owner, organization.teams.Viewers, both);
    for (const person of [only, both]) {
      expect(outcome(await person.http.put(`${own}/public_members/${person.username}`))).toBe('204');
    }
    expect(outcome(await owner.http.delete(`/api/v1/teams/${organization.teams.Editors}`))).toBe('204');
    expect(loginsIn(await world.nobody.get(`${own}/public_members`))).toEqual([both.username]);
    expect(outcome(await owner.http.get(`${own}/members/${only.username}`))).toBe('404 not_found');
    expect(outcome(await only.http.get(`${own}/teams`))).toBe('403 not_org_member');
    expect(outcome(await both.http.get(`${own}/teams`))).toBe('200');
  });
});
