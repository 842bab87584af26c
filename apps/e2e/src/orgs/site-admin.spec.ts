import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { organizationHosts } from '../platform.ts';
import {
  loginsIn, narrowToken, outcome, type PeopledOrganization, type Person, startWorld, type World,
} from './world.ts';

let world: World, acme: PeopledOrganization, viewer: Person;
beforeAll(async () => {
  world = await startWorld({ hosts: organizationHosts, settings: { 'run.mode': 'dev' } });
  acme = await world.organizationWith(1);
  viewer = acme.people[0]!;
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

const users = '/api/v1/admin/users';
const json = { username: 'erin', email: 'erin@example.org', full_name: 'Erin' };

describe('accounts of the site (open-points 18.5)', () => {
  it('are made, found, changed and deleted', async () => {
    const { http } = world.siteAdmin;
    const made = await http.post(users, { json });
    expect([made.status, made.json()]).toMatchObject([201, { login: 'erin', email: 'erin@example.org', active: true }]);
    expect(outcome(await http.post(users, { json: { ...json, username: 'ERIN' } }))).toBe('409 already_exists');
    const found = async (query: string) => loginsIn(await http.get(`${users}?${query}`));
    expect(await found('q=ERI')).toEqual(['erin']);
    for (const query of ['q=erin&active=false', 'q=erin&admin=true', 'q=%25']) expect(await found(query)).toEqual([]);
    const change = { active: false, prohibit_login: true, full_name: 'Erin E.', email: 'e@example.org' };
    const all = { admin: true, ...change, allow_create_organization: false };
    const changed = await http.patch(`${users}/erin`, { json: all });
    expect([changed.status, changed.json()]).toMatchObject([200, { is_admin: true, ...change }]);
    expect(await found('q=erin&admin=true&active=false')).toEqual(['erin']);
    expect(outcome(await http.patch(`${users}/erin`, { json: { email: 'nowhere' } }))).toBe('422 validation_failed');
    expect(outcome(await http.patch(`${users}/nobody`, { json: {} }))).toBe('404 not_found');
    expect(outcome(await http.delete(`${users}/erin`))).toBe('204');
    expect(outcome(await http.delete(`${users}/erin`))).toBe('404 not_found');
  });

  it('keep the last site admin, and the last owner of an organization', async () => {
    const { http, username } = world.siteAdmin;
    expect(outcome(await http.patch(`${users}/${username}`, { json: { admin: false } }))).toBe('403 last_owner');
    expect(outcome(await http.delete(`${users}/${username}`))).toBe('403 last_owner');
    const refused = await http.delete(`${users}/${acme.boss.username}`);
    expect(outcome(refused)).toBe('403 last_owner');
    expect(refused.json<{ message: string }>().message).toContain(acme.organization.username);
    const left = await world.organizationWith(0);
    expect(outcome(await http.delete(`${users}/${left.boss.username}?leaveOrganizations=true`))).toBe('204');
    expect(outcome(await http.get(`/api/v1/orgs/${left.organization.username}/teams`))).toBe('200');
  });

  it('are for site admins with a token for administration', async () => {
    const reading = world.as(await narrowToken(world.siteAdmin.http, 'read:admin'));
    const orgs = `/api/v1/admin/orgs?q=${acme.organization.username}`;
    for (const path of [users, orgs]) expect(outcome(await reading.get(path))).toBe('200');
    expect(outcome(await reading.post(users, { json }))).toBe('403 missing_scope');
    expect(outcome(await reading.delete(`${users}/${viewer.username}`))).toBe('403 missing_scope');
    const writing = world.as(await narrowToken(world.siteAdmin.http, 'write:admin'));
    // A narrow token may not change the address, which receives sign-in links, or the flag `admin`, which permits all.
    const at = `${users}/${viewer.username}`;
    for (const change of [{ email: 'mine@example.org' }, { admin: true }, { admin: false }]) {
      expect([change, outcome(await writing.patch(at, { json: change }))]).toEqual([change, '403 missing_scope']);
    }
    expect(outcome(await writing.post(users, { json: { ...json, admin: true } }))).toBe('403 missing_scope');
    expect(outcome(await writing.patch(at, { json: { full_name: 'Vera' } }))).toBe('200');
    const { http } = acme.boss;
    const calls = [
      http.get(users), http.post(users, { json }), http.get('/api/v1/admin/orgs'), http.get('/api/v1/admin/audit'),
    ];
    expect((await Promise.all(calls)).map(outcome)).toEqual(calls.map(() => '403 forbidden'));
  });
});

describe('the audit (open-points 18.5)', () => {
  interface Entry { id: number; organization: string }
  const path = () => `${acme.path}/audit`;
  const read = async (query: string) => (await acme.boss.http.get(`${path()}?${query}`)).json<Entry[]>();

  it('shows who changed what, how and from where, newest first', async () => {
    const { username } = acme.organization;
    const made = await acme.boss.http.post(`${acme.path}/teams`, { json: { name: 'Audited', type: 'kubernetes' } });
    const { id } = made.json<{ id: number }>();
    const [entry] = await read(`object=team:${id}`);
    expect(entry).toMatchObject({
      actor: { login: acme.boss.username }, via: 'token', organization: username, action: 'team.create',
      object: { type: 'team', id, name: 'Audited' }, address: '127.0.0.1',
    });
    expect((await read(`action=team.create&actor=${acme.boss.username.toUpperCase()}`))[0]!.id).toBe(entry!.id);
    const all = (await read('')).map((one) => one.id);
    expect(all).toEqual(all.toSorted((a, b) => b - a));
    expect(new Set((await read('')).map((one) => one.organization))).toEqual(new Set([username]));
    expect(await read('until=2020-01-01T00:00:00Z')).toEqual([]);
    expect((await read('since=2020-01-01T00:00:00Z')).length).toBe(all.length);
    expect(outcome(await acme.boss.http.get(`${path()}?since=yesterday`))).toBe('400 invalid_parameter');
    const csv = await acme.boss.http.get(`${path()}?format=csv&object=team:${id}`);
    expect(csv.header('content-type')).toContain('text/csv');
    expect(csv.text.split('\r\n')[0]).toContain('actor.login');
  });

  it('knows sessions and services', async () => {
    const page = world.nobody.with({ 'origin': world.platform.http.baseUrl, 'sec-fetch-site': 'same-origin' });
    const signIn = await page.post('/auth/sign-in/token', { json: { token: acme.boss.token } });
    const browser = page.with({ cookie: (signIn.header('set-cookie') ?? '').split(';')[0]! });
    expect(outcome(await browser.patch(acme.path, { json: { location: 'Oslo' } }))).toBe('200');
    expect((await read('action=organization.update'))[0]).toMatchObject({ via: 'session' });
    const site = (await world.siteAdmin.http.get(`/api/v1/admin/audit?action=user.create&object=user:${acme.boss.id}`)).json<Entry[]>();
    expect(site).toMatchObject([{ via: 'service', actor: { login: 'operator' }, object: { name: acme.boss.username } }]);
  });

  it('names the site, which has no id', async () => {
    const [{ http }, settings] = [world.siteAdmin, '/api/v1/disable-registration?org=administration'];
    expect((await http.post(settings, { json: { disableRegistration: true } })).status).toBe(200);
    const [entry] = (await http.get('/api/v1/admin/audit?object=site:main')).json<Entry[]>();
    expect(entry).toMatchObject({ object: { type: 'site', id: 0, name: 'main' } });
  });

  it('is for those with the relation', async () => {
    expect(outcome(await viewer.http.get(path()))).toBe('403 forbidden');
    expect(outcome(await (await world.person()).http.get(path()))).toBe('403 not_org_member');
    expect(outcome(await world.as(await narrowToken(acme.boss.http, 'read:user', 'read:admin')).get(path()))).toBe('403 missing_scope');
  });
});

describe('the state of accounts (open-points 18.5)', () => {
  const path = '/api/v1/admin/status';

  it('is what the operator sees, for site admins', async () => {
    const answer = await world.siteAdmin.http.get(path);
    expect([outcome(answer), answer.json()]).toEqual(['200', {
      pendingUnits: expect.any(Number), oldestPendingSeconds: expect.any(Number), failingUnits: [],
      administrativeOrganization: 'administration', siteAdmins: 1,
    }]);
    expect(outcome(await acme.boss.http.get(path))).toBe('403 forbidden');
    expect(outcome(await world.as(await narrowToken(world.siteAdmin.http, 'read:organization')).get(path))).toBe('403 missing_scope');
  });
});

describe('an explanation (open-points 18.5)', () => {
  const ask = (who: Person, question: object) =>
    who.http.post(`/api/v1/authz/explain?org=${acme.organization.username}`, { json: question });
  const team = () => ({ objectType: 'team', objectID: acme.organization.teams.Editors, relation: 'can_edit' });

  it('says what gives a relation, and what would', async () => {
    expect((await ask(acme.boss, { username: acme.boss.username, ...team() })).json()).toMatchObject({
      allowed: true, principals: [{ team: 'Owners', permission: 'owner', roles: [], grants: true }],
    });
    expect((await ask(viewer, { username: viewer.username, ...team() })).json()).toMatchObject({
      allowed: false, principals: [{ team: 'Viewers', permission: 'read', grants: false }],
      wouldAllow: expect.arrayContaining(['a team with the permission admin or a higher one', 'a team with a role that has team_mgmt / edit teams']),
    });
  });

  it('is about oneself, or for those who may edit the organization', async () => {
    expect(outcome(await ask(viewer, { username: acme.boss.username, ...team() }))).toBe('403 forbidden');
    expect(outcome(await ask(acme.boss, { username: viewer.username, ...team() }))).toBe('200');
    expect(outcome(await ask(await world.person(), { username: viewer.username, ...team() }))).toBe('403 not_org_member');
  });

  it('knows people alone: the account of an organization\'s system is hidden', async () => {
    const { organization: other } = await world.organizationWith(0);
    for (const id of [acme.organization.id, other.id]) {
      expect(outcome(await ask(acme.boss, { username: `org-${id}-system`, ...team() }))).toBe('404 not_found');
    }
  });

  it('knows objects of the organization alone', async () => {
    const asked = { username: acme.boss.username, ...team() };
    const foreign = { ...asked, objectID: (await world.organizationWith(0)).organization.teams.Editors };
    for (const change of [{}, { objectID: 2 ** 40 }, { objectType: 'user', objectID: viewer.id }]) {
      expect(outcome(await ask(acme.boss, { ...foreign, ...change }))).toBe('404 not_found');
    }
    expect(outcome(await ask(acme.boss, { ...foreign, objectType: 'planet' }))).toBe('400 invalid_object_type');
    expect(outcome(await ask(acme.boss, { ...asked, relation: 'can_fly' }))).toBe('400 invalid_value');
  });
});
