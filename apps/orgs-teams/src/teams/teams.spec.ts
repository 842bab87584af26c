import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import type { CreateTeamRequest, UpdateTeamRequest } from '@platform/proto/orgs/v1/team';
import { as } from '@platform/testing';
import { operator, pathsOf, reasonOf, startPlatform, type TestPlatform } from '../fixtures/platform.ts';
import { memberOf, roleOf, teamOf, testOrganization, type TestOrganization } from '../fixtures/structure.ts';

let platform: TestPlatform;
let acme: TestOrganization;
beforeAll(async () => {
  platform = await startPlatform();
  acme = await testOrganization(platform);
}, 60_000);
afterAll(() => platform[Symbol.asyncDispose]());

const type = 'kubernetes';
const ids = (...items: number[]) => ({ items });
const create = (team: Omit<CreateTeamRequest, 'orgname'>, organization = acme) =>
  platform.teams.createTeam({ orgname: organization.name, ...team }, as(organization.owner.token));
const update = (teamid: number, change: Omit<UpdateTeamRequest, 'teamid'>, organization = acme) =>
  platform.teams.updateTeam({ teamid, ...change }, as(organization.owner.token));
const get = (teamid: number, organization = acme) => platform.teams.getTeam({ teamid }, as(organization.owner.token));
const remove = (teamid: number, organization = acme) =>
  platform.teams.deleteTeam({ teamid }, as(organization.owner.token));

describe('creating a team (open-points 3.5)', () => {
  it('answers it with its organization, as spec §2.2 shows it', async () => {
    const roles = [await roleOf(platform, acme, []), await roleOf(platform, acme, [])];
    const team = await create({
      name: 'Night shift', type, description: 'Looks after it.', permission: 'write',
      assignedRoleIds: ids(...roles.toReversed(), roles[0]!),
    });
    const organization = await platform.organizations.getOrganization({ orgname: acme.name }, as(acme.owner.token));
    expect(team).toEqual({
      id: expect.any(Number), name: 'Night shift', description: 'Looks after it.', organization, permission: 'write',
      units: undefined, type, roleIds: roles,
    });
    expect(await get(team.id)).toEqual(team);
  });

  it.each([
    ['read without roles and right', {}, 'read'],
    ['none with roles and without right', { assignedRoleIds: ids() }, 'none'],
    ['what is asked for, with roles', { assignedRoleIds: ids(), permission: 'admin' }, 'admin'],
  ])('gives it %s', async (what, given, permission) => {
    expect((await create({ name: what.slice(0, 50).replaceAll(',', ''), type, ...given })).permission).toBe(permission);
  });

  it.each([
    ['no name', { type }, 'VALIDATION_FAILED', ['name']],
    ['no type', { name: 'a' }, 'VALIDATION_FAILED', ['type']],
    ['an empty type', { name: 'a', type: '' }, 'INVALID_TEAM_TYPE', []],
    ['another type', { name: 'a', type: 'Kubernetes' }, 'INVALID_TEAM_TYPE', []],
    ['an empty name', { name: '', type }, 'INVALID_NAME', ['name']],
    ['a malformed name', { name: 'a  b', type }, 'INVALID_NAME', ['name']],
    ['the name of Owners', { name: 'oWNERS', type }, 'INVALID_NAME', ['name']],
    ['a reserved name', { name: 'New', type }, 'INVALID_NAME', ['name']],
    ['a description too long', { name: 'a', type, description: 'x'.repeat(256) }, 'INVALID_VALUE', ['description']],
    ['the right of Owners', { name: 'a', type, permission: 'owner' }, 'VALIDATION_FAILED', ['permission']],
    ['none as a right', { name: 'a', type, permission: 'none' }, 'VALIDATION_FAILED', ['permission']],
    ['custom as a right', { name: 'a', type, permission: 'custom' }, 'VALIDATION_FAILED', ['permission']],
    ['no right at all', { name: 'a', type, permission: '' }, 'VALIDATION_FAILED', ['permission']],
    ['an unknown role', { name: 'a', type, assignedRoleIds: ids(999_999) }, 'INVALID_VALUE', ['assignedRoleIDs[0]']],
    ['11 roles', { name: 'a', type, assignedRoleIds: ids(...Array(11).keys()) }, 'TOO_MANY_ROLES', []],
    ['a role 11 times', { name: 'a', type, assignedRoleIds: ids(...Array<number>(11).fill(1)) }, 'TOO_MANY_ROLES', []],
  ])('refuses %s', async (_, given: Omit<CreateTeamRequest, 'orgname'>, reason, paths) => {
    expect(await reasonOf(create(given))).toBe(reason);
    expect(await pathsOf(create(given))).toEqual(paths);
  });

  it('refuses a role of another organization as one that is not there, and stores nothing then', async () => {
    const other = await testOrganization(platform);
    const [own, foreign] = [await roleOf(platform, acme, []), await roleOf(platform, other, [])];
    const refused = create({ name: 'half done', type, assignedRoleIds: ids(own, foreign) });
    expect(await pathsOf(refused)).toEqual(['assignedRoleIDs[1]']);
    const { teams } = await platform.teams.listTeams({ orgname: acme.name }, as(acme.owner.token));
    expect(teams.map(({ name }) => name)).not.toContain('half done');
  });

  it('refuses a name the organization has, ignoring case, and leaves it to other organizations', async () => {
    await create({ name: 'Taken', type });
    for (const name of ['Taken', 'TAKEN', 'viewers']) expect(await reasonOf(create({ name, type }))).toBe('ALREADY_EXISTS');
    const other = await testOrganization(platform);
    expect(await reasonOf(create({ name: 'taken', type }, other))).toBe('OK');
  });
});

describe('changing a team', () => {
  it('leaves absent fields as they are, and replaces the others', async () => {
    const [first, second] = [await roleOf(platform, acme, []), await roleOf(platform, acme, [])];
    const team = await create({ name: 'changing', type, description: 'before', assignedRoleIds: ids(first) });
    expect(await update(team.id, { name: 'changing' })).toEqual(team);
    expect(await update(team.id, { name: 'Changed', description: '', type })).toEqual({
      ...team, name: 'Changed', description: '',
    });
    expect(await update(team.id, { name: 'Changed', assignedRoleIds: ids(second) })).toMatchObject({
      permission: 'none', roleIds: [second],
    });
    expect(await update(team.id, { name: 'Changed', permission: 'admin' })).toMatchObject({
      permission: 'admin', roleIds: [second],
    });
    const last = await update(team.id, { name: 'Changed', permission: 'custom', assignedRoleIds: ids() });
    expect(last).toMatchObject({ permission: 'custom', roleIds: [] });
    expect(await get(team.id)).toEqual(last);
  });

  it.each([
    ['no name', {}, 'VALIDATION_FAILED'],
    ['an empty name', { name: '' }, 'INVALID_NAME'],
    ['a reserved name', { name: 'owners' }, 'INVALID_NAME'],
    ['a taken name', { name: 'EDITORS' }, 'ALREADY_EXISTS'],
    ['an empty type', { name: 'kept', type: '' }, 'INVALID_TEAM_TYPE'],
    ['another type', { name: 'kept', type: 'github' }, 'INVALID_TEAM_TYPE'],
    ['the right of Owners', { name: 'kept', permission: 'owner' }, 'VALIDATION_FAILED'],
    ['none as a right', { name: 'kept', permission: 'none' }, 'VALIDATION_FAILED'],
    ['a description too long', { name: 'kept', description: 'x'.repeat(256) }, 'INVALID_VALUE'],
    ['an unknown role', { name: 'kept', assignedRoleIds: ids(999_999) }, 'INVALID_VALUE'],
    ['11 roles', { name: 'kept', assignedRoleIds: ids(...Array(11).keys()) }, 'TOO_MANY_ROLES'],
  ])('refuses %s and changes nothing', async (_, change, reason) => {
    const id = await teamOf(platform, acme);
    const team = await get(id);
    const given = { description: 'not to be stored', ...change };
    expect(await reasonOf(update(id, given))).toBe(reason);
    expect(await get(id)).toEqual(team);
  });
});

describe('Owners is immutable', () => {
  it.each([
    [{ name: 'Owners' }, 'OK'],
    [{ name: 'Owners', type, assignedRoleIds: ids() }, 'OK'],
    [{ name: 'owners' }, 'OWNERS_TEAM_IMMUTABLE'],
    [{ name: 'Chiefs' }, 'OWNERS_TEAM_IMMUTABLE'],
    [{ name: 'Owners', description: '' }, 'OWNERS_TEAM_IMMUTABLE'],
    [{ name: 'Owners', permission: 'admin' }, 'OWNERS_TEAM_IMMUTABLE'],
    [{ name: 'Owners', permission: 'custom' }, 'OWNERS_TEAM_IMMUTABLE'],
    [{ name: 'Owners', assignedRoleIds: ids(1) }, 'OWNERS_TEAM_IMMUTABLE'],
    [{ name: 'Owners', type: 'other' }, 'INVALID_TEAM_TYPE'],
    [{ name: 'new' }, 'INVALID_NAME'],
  ])('%j by its owner is %s', async (change, reason) => {
    const before = await get(acme.owners);
    expect(await reasonOf(update(acme.owners, change))).toBe(reason);
    expect(await get(acme.owners)).toEqual(before);
    const asAdmin = platform.teams.updateTeam({ teamid: acme.owners, ...change }, as(platform.adminToken));
    expect(await reasonOf(asAdmin)).toBe(reason);
  });

  it('cannot be deleted, and admins do not get so far', async () => {
    expect(await reasonOf(remove(acme.owners))).toBe('OWNERS_TEAM_IMMUTABLE');
    const site = platform.teams.deleteTeam({ teamid: acme.owners }, as(platform.adminToken));
    expect(await reasonOf(site)).toBe('OWNERS_TEAM_IMMUTABLE');
    const { id } = await create({ name: 'admins of acme', type, permission: 'admin' });
    const admin = await memberOf(platform, id);
    expect(await reasonOf(platform.teams.deleteTeam({ teamid: acme.owners }, as(admin.token)))).toBe('FORBIDDEN');
    const rename = platform.teams.updateTeam({ teamid: acme.owners, name: 'Owners' }, as(admin.token));
    expect(await reasonOf(rename)).toBe('FORBIDDEN');
  });
});

describe('deleting a team', () => {
  it('ends the memberships of those who were in no other team, with their visibility', async () => {
    const organization = await testOrganization(platform);
    const { id } = await create({ name: 'closing', type, permission: 'read' }, organization);
    const only = await memberOf(platform, id);
    const both = await memberOf(platform, id, organization.viewers);
    await platform.database.execute(sql`
      insert into public_membership (organization_id, user_id)
      select ${organization.id}, unnest(${[only.id, both.id]}::bigint[])`);
    await remove(id, organization);
    expect(await reasonOf(get(id, organization))).toBe('NOT_FOUND');
    const list = (token: string) => reasonOf(platform.roles.listRoles({ org: organization.name }, as(token)));
    expect(await list(only.token)).toBe('NOT_ORG_MEMBER');
    expect(await list(both.token)).toBe('OK');
    expect(await platform.database.query(sql`
      select user_id as "userId" from public_membership where organization_id = ${organization.id}`),
    ).toEqual([{ userId: both.id }]);
    const { differenceCount } = await platform.drift(organization.id);
    expect(differenceCount).toBe(0);
  });

  it('may take the first teams too, and frees their names', async () => {
    const organization = await testOrganization(platform);
    await remove(organization.editors, organization);
    await remove(organization.viewers, organization);
    expect(await reasonOf(create({ name: 'viewers', type }, organization))).toBe('OK');
  });

  it('leaves its roles to the other teams', async () => {
    const organization = await testOrganization(platform);
    const role = await roleOf(platform, organization, [], [organization.viewers, organization.editors]);
    await remove(organization.editors, organization);
    const { teamIds } = await platform.roles.getRole({ org: organization.name, id: role }, as(organization.owner.token));
    expect(teamIds).toEqual([organization.viewers]);
  });
});

describe('lists', () => {
  it('lists the teams, whole or by page, by ascending id, without the organization', async () => {
    const organization = await testOrganization(platform);
    const role = await roleOf(platform, organization, []);
    const last = await teamOf(platform, organization, role);
    const page = async (page?: number, limit?: number) => {
      const call = platform.teams.listTeams({ orgname: organization.name, page, limit }, as(organization.owner.token));
      const { teams, total } = await call;
      return [teams.map(({ name }) => name), total];
    };
    const { name } = await get(last, organization);
    expect(await page()).toEqual([['Owners', 'Editors', 'Viewers', name], 4]);
    expect(await page(2, 3)).toEqual([[name], 4]);
    expect(await page(9, 3)).toEqual([[], 4]);
    expect(await reasonOf(page(1, -1))).toBe('INVALID_PARAMETER');
    const { teams } = await platform.teams.listTeams({ orgname: organization.name }, as(organization.owner.token));
    expect(teams.at(-1)).toEqual({ ...(await get(last, organization)), organization: undefined });
    expect(teams.map(({ permission }) => permission)).toEqual(['owner', 'write', 'read', 'none']);
  });
});

describe('who may (spec §4.14, open-points 1.5)', () => {
  it('answers each kind of caller as its relation says', async () => {
    const organization = await testOrganization(platform);
    const team = await teamOf(platform, organization);
    const plain = await memberOf(platform, await teamOf(platform, organization));
    const own = await memberOf(platform, team);
    const viewer = await memberOf(platform, organization.viewers);
    const stranger = await platform.user();
    const answers = (token: string | undefined) => Promise.all([
      reasonOf(platform.teams.listTeams({ orgname: organization.name }, as(token))),
      reasonOf(platform.teams.createTeam({ orgname: organization.name, name: '!', type }, as(token))),
      reasonOf(platform.teams.getTeam({ teamid: team }, as(token))),
      reasonOf(platform.teams.updateTeam({ teamid: team, name: '!' }, as(token))),
      reasonOf(platform.teams.deleteTeam({ teamid: organization.owners }, as(token))),
    ]);
    const [no, gone] = ['FORBIDDEN', 'NOT_FOUND'];
    const immutable = 'OWNERS_TEAM_IMMUTABLE';
    expect(await answers(plain.token)).toEqual([no, no, no, no, no]);
    expect(await answers(own.token)).toEqual([no, no, 'OK', no, no]);
    expect(await answers(viewer.token)).toEqual(['OK', no, 'OK', no, no]);
    expect(await answers(organization.owner.token)).toEqual(['OK', 'INVALID_NAME', 'OK', 'INVALID_NAME', immutable]);
    expect(await answers(platform.adminToken)).toEqual(['OK', 'INVALID_NAME', 'OK', 'INVALID_NAME', immutable]);
    expect(await answers(await platform.tokenOf({ organization: organization.name }))).toEqual(['OK', no, 'OK', no, no]);
    expect(await answers(stranger.token)).toEqual(['NOT_ORG_MEMBER', 'NOT_ORG_MEMBER', gone, gone, gone]);
    expect(await answers(undefined)).toEqual(Array(5).fill('UNAUTHENTICATED'));
  });

  it('answers a missing team and one of another organization the same', async () => {
    const other = await testOrganization(platform);
    for (const [teamid, reason] of [
      [other.viewers, 'NOT_FOUND'], [999_999, 'NOT_FOUND'], [0, 'INVALID_PARAMETER'], [-1, 'INVALID_PARAMETER'],
    ] as const) {
      for (const call of [
        get(teamid), update(teamid, { name: 'taken over' }), remove(teamid),
      ]) expect(await reasonOf(call)).toBe(reason);
    }
    expect(await reasonOf(platform.teams.getTeam({ teamid: 999_999 }, as(platform.adminToken)))).toBe('NOT_FOUND');
    expect((await get(other.viewers, other)).name).toBe('Viewers');
  });
});

describe('audit', () => {
  it('records what was created, what changed from what to what, and what was deleted with which members', async () => {
    const organization = await testOrganization(platform);
    const role = await roleOf(platform, organization, []);
    const { id } = await create({ name: 'audited', type }, organization);
    await update(id, { name: 'audited', permission: 'write', assignedRoleIds: ids(role) }, organization);
    await update(id, { name: 'audited' }, organization);
    const member = await memberOf(platform, id);
    await remove(id, organization);
    const { entries } = await platform.admin.listAudit(
      { account: organization.name, action: '', pageSize: 0, pageToken: '' }, operator(),
    );
    const told = entries
      .filter(({ object }) => object === `team:${id}`)
      .map(({ action, details }) => ({ action, details: JSON.parse(details) as unknown }));
    expect(told).toEqual([
      { action: 'team.delete', details: { name: 'audited', permission: 'write', roleIds: [role], memberIds: [member.id] } },
      { action: 'team.update', details: {
        before: { permission: 'read', roleIds: [] }, after: { permission: 'write', roleIds: [role] },
      } },
      { action: 'team.create', details: { name: 'audited', description: '', permission: 'read', roleIds: [] } },
    ]);
  });
});
