import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import type { Permission, RoleChange, RoleInput } from '@platform/proto/orgs/v1/role';
import { as } from '@platform/testing';
import { operator, pathsOf, reasonOf, startPlatform, type TestPlatform } from '../fixtures/platform.ts';
import {
  memberOf, roleOf, teamOf, testOrganization, type TestOrganization, wholeCatalogue,
} from '../fixtures/structure.ts';

let platform: TestPlatform;
let acme: TestOrganization;
beforeAll(async () => {
  platform = await startPlatform();
  acme = await testOrganization(platform);
}, 60_000);
afterAll(() => platform[Symbol.asyncDispose]());

const viewTeams = { namespace: 'team_mgmt', action: 'view teams' };
const editTeams = { namespace: 'team_mgmt', action: 'edit teams' };
const viewRoles = { namespace: 'role_mgmt', action: 'view roles' };
const orgView = { namespace: 'org_mgmt', action: 'view' };

const create = (role: RoleInput, organization = acme) =>
  platform.roles.createRole({ org: organization.name, role }, as(organization.owner.token));
const update = (id: number, role: RoleChange, organization = acme) =>
  platform.roles.updateRole({ org: organization.name, id, role }, as(organization.owner.token));
const get = (id: number, organization = acme) =>
  platform.roles.getRole({ org: organization.name, id }, as(organization.owner.token));
const list = <Item>(...items: Item[]) => ({ items });
const pairs = (...items: Permission[]) => ({ items });

describe('creating a role', () => {
  it('answers it as spec §2.1 shows it: without duplicates, pairs in the order of the catalogue, teams ascending', async () => {
    const team = await teamOf(platform, acme);
    const role = await create({
      name: '  Auditor of Teams\t', description: 'Looks.', permissions: pairs(viewRoles, viewTeams, orgView, viewTeams),
      teamIds: list(team, acme.viewers, team),
    });
    expect(role).toEqual({
      id: expect.any(Number), name: 'Auditor of Teams', ownerId: acme.id, description: 'Looks.',
      permissions: [orgView, viewTeams, viewRoles], teamIds: [acme.viewers, team],
      createdAt: expect.any(Date), updatedAt: expect.any(Date),
    });
    expect(await get(role.id)).toEqual(role);
  });

  it('takes no pair at all, and the whole catalogue', async () => {
    expect((await create({ name: 'nothing', permissions: pairs() })).permissions).toEqual([]);
    const everything = await create({ name: 'everything', permissions: pairs(...wholeCatalogue.toReversed()) });
    expect(everything.permissions).toEqual(wholeCatalogue);
  });

  it('takes names and descriptions of the full length in characters, not bytes', async () => {
    const name = '監'.repeat(100);
    const description = '😀'.repeat(255);
    expect(await create({ name, description, permissions: pairs() })).toMatchObject({ name, description });
  });

  it.each([
    ['no name', { permissions: pairs() }, 'VALIDATION_FAILED', ['name']],
    ['no permissions', { name: 'a' }, 'VALIDATION_FAILED', ['permissions']],
    ['half a pair', { name: 'a', permissions: pairs(orgView, { namespace: 'org_mgmt' }) }, 'VALIDATION_FAILED', ['permissions[1].action']],
    ['an empty name', { name: '', permissions: pairs() }, 'INVALID_NAME', ['name']],
    ['a blank name', { name: ' \t\u00a0', permissions: pairs() }, 'INVALID_NAME', ['name']],
    ['a name too long', { name: 'x'.repeat(101), permissions: pairs() }, 'INVALID_NAME', ['name']],
    ['a description too long', { name: 'a', description: 'x'.repeat(256), permissions: pairs() }, 'INVALID_VALUE', ['description']],
    ['an unknown pair', { name: 'a', permissions: pairs(orgView, { namespace: 'org_mgmt', action: 'View' }, { namespace: '', action: '' }) },
      'UNKNOWN_PERMISSION', ['permissions[1]', 'permissions[2]']],
    ['an unknown team', { name: 'a', permissions: pairs(), teamIds: list(999_999) }, 'INVALID_VALUE', ['teamIDs[0]']],
    ['two lines', { name: 'a\nb', permissions: pairs() }, 'INVALID_NAME', ['name']],
    ['a team 101 times', { name: 'a', permissions: pairs(), teamIds: list(...Array<number>(101).fill(1)) }, 'TOO_MANY_ITEMS', ['teamIDs']],
    ['ids that can be no team', { name: 'a', permissions: pairs(), teamIds: list(0, -1) }, 'INVALID_VALUE', ['teamIDs[0]', 'teamIDs[1]']],
  ])('refuses %s', async (_, given, reason, paths) => {
    const role = given as RoleInput;
    expect(await reasonOf(create(role))).toBe(reason);
    expect(await pathsOf(create(role))).toEqual(paths);
  });

  it('refuses Owners and a team of another organization, and stores nothing then', async () => {
    const other = await testOrganization(platform);
    const given = { name: 'half done', permissions: pairs(orgView) };
    expect(await reasonOf(create({ ...given, teamIds: list(acme.viewers, acme.owners) }))).toBe('OWNERS_TEAM_IMMUTABLE');
    expect(await pathsOf(create({ ...given, teamIds: list(acme.viewers, other.viewers) }))).toEqual(['teamIDs[1]']);
    const { roles } = await platform.roles.listRoles({ org: acme.name }, as(acme.owner.token));
    expect(roles.map(({ name }) => name)).not.toContain('half done');
  });

  it('refuses a name the organization has, ignoring case in every script, and leaves it to other organizations', async () => {
    await create({ name: 'Prüfer Straße', permissions: pairs() });
    for (const name of ['Prüfer Straße', 'prüfer straße', ' PRÜFER STRASSE ', 'Pru\u0308fer Straße']) {
      expect(await reasonOf(create({ name, permissions: pairs() }))).toBe('ALREADY_EXISTS');
    }
    const other = await testOrganization(platform);
    expect(await reasonOf(create({ name: 'Prüfer Straße', permissions: pairs() }, other))).toBe('OK');
  });
});

describe('changing a role', () => {
  it('leaves absent fields as they are, and replaces the others', async () => {
    const role = await create({ name: 'changing', description: 'before', permissions: pairs(orgView, viewTeams), teamIds: list(acme.viewers) });
    expect(await update(role.id, {})).toEqual(role);
    expect(await update(role.id, { description: '' })).toEqual({ ...role, description: '', updatedAt: expect.any(Date) });
    expect(await update(role.id, { permissions: pairs(viewTeams, viewRoles) })).toMatchObject({
      name: 'changing', description: '', permissions: [viewTeams, viewRoles], teamIds: [acme.viewers],
    });
    expect(await update(role.id, { permissions: pairs(), teamIds: list(acme.editors) })).toMatchObject({
      permissions: [], teamIds: [acme.editors],
    });
    const last = await update(role.id, { name: ' Changed ', teamIds: list() });
    expect(last).toMatchObject({ name: 'Changed', permissions: [], teamIds: [] });
    expect(await get(role.id)).toEqual(last);
  });

  it('moves updated_at with a change and only then', async () => {
    const role = await create({ name: 'timed', permissions: pairs(orgView) });
    expect(role.updatedAt).toEqual(role.createdAt);
    const unchanged = await update(role.id, { name: 'timed', description: '', permissions: pairs(orgView, orgView), teamIds: list() });
    expect(unchanged).toEqual(role);
    const changed = await update(role.id, { permissions: pairs() });
    expect(changed.createdAt).toEqual(role.createdAt);
    expect(changed.updatedAt!.getTime()).toBeGreaterThan(role.updatedAt!.getTime());
  });

  it('takes its own name in another case, but no other role\'s', async () => {
    const one = await create({ name: 'case of one', permissions: pairs() });
    await create({ name: 'case of two', permissions: pairs() });
    expect((await update(one.id, { name: 'Case Of One' })).name).toBe('Case Of One');
    expect(await reasonOf(update(one.id, { name: 'CASE OF TWO' }))).toBe('ALREADY_EXISTS');
  });

  it.each([
    [{ name: '' }, 'INVALID_NAME'],
    [{ name: 'x'.repeat(101) }, 'INVALID_NAME'],
    [{ description: 'x'.repeat(256) }, 'INVALID_VALUE'],
    [{ permissions: pairs({ namespace: 'org_mgmt' }) }, 'VALIDATION_FAILED'],
    [{ permissions: pairs({ namespace: 'org_mgmt', action: 'own' }) }, 'UNKNOWN_PERMISSION'],
    [{ teamIds: list(999_999) }, 'INVALID_VALUE'],
  ])('refuses %j with %s and changes nothing', async (change, reason) => {
    const role = await create({ name: `kept ${reason} ${JSON.stringify(change).slice(0, 40)}`, permissions: pairs(orgView) });
    const all = { name: 'not to be stored', permissions: pairs(), teamIds: list(acme.viewers), ...change };
    expect(await reasonOf(update(role.id, all))).toBe(reason);
    expect(await get(role.id)).toEqual(role);
  });

  it('refuses Owners', async () => {
    const id = await roleOf(platform, acme, []);
    expect(await reasonOf(update(id, { teamIds: list(acme.owners) }))).toBe('OWNERS_TEAM_IMMUTABLE');
  });
});

describe('limits (open-points 1.9)', () => {
  it('has at most 10 roles on a team, from the side of the role too', async () => {
    const organization = await testOrganization(platform);
    const team = await teamOf(platform, organization);
    const kept: number[] = [];
    for (let count = 0; count < 10; count += 1) kept.push(await roleOf(platform, organization, [], [team]));
    const eleventh = { name: 'eleventh', permissions: pairs(), teamIds: list(team) };
    expect(await reasonOf(create(eleventh, organization))).toBe('TOO_MANY_ROLES');
    const id = await roleOf(platform, organization, []);
    expect(await reasonOf(update(id, { teamIds: list(team) }, organization))).toBe('TOO_MANY_ROLES');
    // Existing assignments do not count as additions, and removed ones make room.
    expect(await reasonOf(update(kept[0]!, { teamIds: list(team) }, organization))).toBe('OK');
    await update(kept[0]!, { teamIds: list() }, organization);
    expect(await reasonOf(update(id, { teamIds: list(team) }, organization))).toBe('OK');
  });

  it('has at most 100 teams with a role, from both sides', async () => {
    const organization = await testOrganization(platform);
    const teams = await platform.database.query(sql<{ id: number }>`
      insert into team (organization_id, name, permission)
      select ${organization.id}, 'many ' || n, 'none' from generate_series(1, 101) n returning id`);
    const [first, ...hundred] = teams.map(({ id }) => id) as [number, ...number[]];
    const name = 'widely used';
    expect(await reasonOf(create({ name, permissions: pairs(), teamIds: list(first, ...hundred) }, organization))).toBe('TOO_MANY_ITEMS');
    const { id } = await create({ name, permissions: pairs(orgView), teamIds: list(...hundred.toReversed()) }, organization);
    expect(await reasonOf(update(id, { teamIds: list(first, ...hundred) }, organization))).toBe('TOO_MANY_ITEMS');
    const assign = platform.teams.updateTeam({ teamid: first, name: 'many 1', assignedRoleIds: list(id) }, as(organization.owner.token));
    expect(await reasonOf(assign)).toBe('TOO_MANY_ITEMS');
    expect((await update(id, { permissions: pairs() }, organization)).teamIds).toHaveLength(100);
    expect((await update(id, { teamIds: list(first) }, organization)).teamIds).toEqual([first]);
  });
});

describe('deleting a role', () => {
  it('takes it from all teams', async () => {
    const organization = await testOrganization(platform);
    const id = await roleOf(platform, organization, [viewTeams], [organization.viewers, organization.editors]);
    await platform.roles.deleteRole({ org: organization.name, id }, as(organization.owner.token));
    expect(await reasonOf(get(id, organization))).toBe('NOT_FOUND');
    const { teams } = await platform.teams.listTeams({ orgname: organization.name }, as(organization.owner.token));
    expect(teams.map(({ roleIds }) => roleIds)).toEqual([[], [], []]);
    expect(await platform.database.query(sql`select from role_permission where role_id = ${id}`)).toEqual([]);
    const { differenceCount } = await platform.drift(organization.id);
    expect(differenceCount).toBe(0);
  });

  it('frees its name', async () => {
    const role = await create({ name: 'short-lived', permissions: pairs() });
    await platform.roles.deleteRole({ org: acme.name, id: role.id }, as(acme.owner.token));
    const again = await create({ name: 'SHORT-LIVED', permissions: pairs() });
    expect(again.id).toBeGreaterThan(role.id);
  });
});

describe('lists', () => {
  it('lists the roles of the organization, whole or by page, by ascending id', async () => {
    const organization = await testOrganization(platform);
    const empty = await platform.roles.listRoles({ org: organization.name }, as(organization.owner.token));
    expect(empty).toEqual({ roles: [], total: 0 });
    const ids: number[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await roleOf(platform, organization, [orgView, viewTeams], [organization.viewers]));
    const page = async (page?: number, limit?: number) => {
      const { roles, total } = await platform.roles.listRoles({ org: organization.name, page, limit }, as(organization.owner.token));
      return [roles.map(({ id }) => id), total];
    };
    expect(await page()).toEqual([ids, 5]);
    expect(await page(0, 0)).toEqual([ids, 5]);
    expect(await page(2, 2)).toEqual([ids.slice(2, 4), 5]);
    expect(await page(3, 2)).toEqual([ids.slice(4), 5]);
    expect(await page(4, 2)).toEqual([[], 5]);
    expect(await page(1, 1_000)).toEqual([ids, 5]);
    expect(await reasonOf(page(-1, 1))).toBe('INVALID_PARAMETER');
    const { roles } = await platform.roles.listRoles({ org: organization.name }, as(organization.owner.token));
    expect(roles[0]).toEqual(await get(ids[0]!, organization));
  });

  it('shows them to every member, and one of them to viewers and who may by a role', async () => {
    const organization = await testOrganization(platform);
    const id = await roleOf(platform, organization, [viewRoles]);
    const plain = await memberOf(platform, await teamOf(platform, organization));
    const allowed = await memberOf(platform, await teamOf(platform, organization, id));
    const viewer = await memberOf(platform, organization.viewers);
    const stranger = await platform.user();
    const system = await platform.tokenOf({ organization: organization.name });
    const call = { org: organization.name };
    const answers = (token: string) => Promise.all([
      reasonOf(platform.roles.listRoles(call, as(token))),
      reasonOf(platform.roles.getRole({ ...call, id }, as(token))),
      reasonOf(platform.roles.listRolePrincipals({ ...call, id }, as(token))),
    ]);
    expect(await answers(plain.token)).toEqual(['OK', 'FORBIDDEN', 'FORBIDDEN']);
    expect(await answers(allowed.token)).toEqual(['OK', 'OK', 'OK']);
    expect(await answers(viewer.token)).toEqual(['OK', 'OK', 'OK']);
    expect(await answers(system)).toEqual(['OK', 'OK', 'OK']);
    expect(await answers(stranger.token)).toEqual(['NOT_ORG_MEMBER', 'NOT_ORG_MEMBER', 'NOT_ORG_MEMBER']);
    expect(await answers(platform.adminToken)).toEqual(['OK', 'OK', 'OK']);
  });

  it('lists the teams a role is on', async () => {
    const organization = await testOrganization(platform);
    const id = await roleOf(platform, organization, []);
    const principals = (page?: number, limit?: number) =>
      platform.roles.listRolePrincipals({ org: organization.name, id, page, limit }, as(organization.owner.token));
    expect(await principals()).toEqual({ principals: [], total: 0 });
    const team = await teamOf(platform, organization, id);
    await update(id, { teamIds: list(team, organization.viewers) }, organization);
    await memberOf(platform, team);
    await memberOf(platform, team);
    const entry = { principalType: 'team', organizationId: organization.id };
    const viewers = {
      ...entry, principalId: organization.viewers, name: 'Viewers', description: expect.stringMatching(/./), memberCount: 0,
    };
    const second = { ...entry, principalId: team, name: expect.any(String), description: '', memberCount: 2 };
    expect(await principals()).toEqual({ principals: [viewers, second], total: 2 });
    expect(await principals(2, 1)).toEqual({ principals: [second], total: 2 });
    expect(await principals(3, 1)).toEqual({ principals: [], total: 2 });
  });
});

describe('missing and foreign roles (open-points 1.5)', () => {
  it('are the same: NOT_FOUND for callers who could act on a role of the organization, FORBIDDEN for all others', async () => {
    const other = await testOrganization(platform);
    const foreign = await roleOf(platform, other, []);
    const viewer = await memberOf(platform, acme.viewers);
    const calls = (id: number, token: string) => Promise.all([
      reasonOf(platform.roles.getRole({ org: acme.name, id }, as(token))),
      reasonOf(platform.roles.listRolePrincipals({ org: acme.name, id }, as(token))),
      reasonOf(platform.roles.updateRole({ org: acme.name, id, role: { name: 'taken over' } }, as(token))),
      reasonOf(platform.roles.deleteRole({ org: acme.name, id }, as(token))),
    ]);
    for (const id of [foreign, 999_999]) {
      expect(await calls(id, acme.owner.token)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
      expect(await calls(id, viewer.token)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'FORBIDDEN', 'FORBIDDEN']);
      expect(await calls(id, platform.adminToken)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
    }
    expect(await reasonOf(get(foreign, other))).toBe('OK');
    // A value that cannot be an id is refused before any look-up except that of the token (open-points 1.5).
    for (const id of [0, -1]) {
      expect(await calls(id, viewer.token)).toEqual(Array(4).fill('INVALID_PARAMETER'));
      expect(await calls(id, 'f'.repeat(40))).toEqual(Array(4).fill('UNAUTHENTICATED'));
    }
  });
});

describe('audit', () => {
  it('records what was created, what changed from what to what, and what was deleted', async () => {
    const organization = await testOrganization(platform);
    const role = await create({ name: 'audited', permissions: pairs(orgView), teamIds: list(organization.viewers) }, organization);
    await update(role.id, { name: 'audited again', permissions: pairs(editTeams) }, organization);
    await update(role.id, { name: 'audited again' }, organization);
    await platform.roles.deleteRole({ org: organization.name, id: role.id }, as(organization.owner.token));
    const { entries } = await platform.admin.listAudit(
      { account: organization.name, action: '', pageSize: 0, pageToken: '' }, operator(),
    );
    const told = entries
      .filter(({ object }) => object === `role:${role.id}`)
      .map(({ action, actor, details }) => ({ action, actor, details: JSON.parse(details) as unknown }));
    const actor = organization.owner.name;
    expect(told).toEqual([
      { action: 'role.delete', actor, details: { name: 'audited again', permissions: [editTeams], teamIds: [organization.viewers] } },
      { action: 'role.update', actor, details: {
        before: { name: 'audited', permissions: [orgView] }, after: { name: 'audited again', permissions: [editTeams] },
      } },
      { action: 'role.create', actor, details: {
        name: 'audited', description: '', permissions: [orgView], teamIds: [organization.viewers],
      } },
    ]);
  });
});
