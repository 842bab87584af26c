import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Pair, relationsOfPair } from '@platform/relations';
import { as } from '@platform/testing';
import { reasonOf, startPlatform, type TestPlatform, type TestUser } from '../fixtures/platform.ts';
import {
  memberOf, roleOf, teamOf, testOrganization, type TestOrganization, wholeCatalogue,
} from '../fixtures/structure.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
}, 60_000);
afterAll(() => platform[Symbol.asyncDispose]());

const pair = (namespace: Pair['namespace'], action: string): Pair => ({ namespace, action });
const viewTeams = pair('team_mgmt', 'view teams');
const createTeams = pair('team_mgmt', 'create teams');
const editTeams = pair('team_mgmt', 'edit teams');
const viewRoles = pair('role_mgmt', 'view roles');
const createRoles = pair('role_mgmt', 'create roles');
const editRoles = pair('role_mgmt', 'edit roles');
const editOrganization = pair('org_mgmt', 'edit');
const type = 'kubernetes';
const list = <Item>(...items: Item[]) => ({ items });

/** A user with exactly these pairs, by a role and without a built-in right. */
async function holderOf(organization: TestOrganization, ...pairs: Pair[]): Promise<TestUser & { team: number; role: number }> {
  const role = await roleOf(platform, organization, pairs);
  const team = await teamOf(platform, organization, role);
  return { ...(await memberOf(platform, team)), team, role };
}

describe('the pairs of a role (open-points 2.7)', () => {
  it('may be those the caller holds through a role, and no others', async () => {
    const organization = await testOrganization(platform);
    const caller = await holderOf(organization, createRoles, editRoles, viewTeams);
    const make = (name: string, ...permissions: Pair[]) => platform.roles.createRole(
      { org: organization.name, role: { name, permissions: list(...permissions) } }, as(caller.token),
    );
    expect(await reasonOf(make('none'))).toBe('OK');
    expect(await reasonOf(make('own', createRoles, viewTeams))).toBe('OK');
    expect(await reasonOf(make('more', viewTeams, editTeams))).toBe('PRIVILEGE_ESCALATION');
    expect(await reasonOf(make('everything', ...wholeCatalogue))).toBe('PRIVILEGE_ESCALATION');
  });

  it('through a built-in right: an admin gives the whole catalogue, an editor only what editors hold', async () => {
    const organization = await testOrganization(platform);
    const { id } = await platform.teams.createTeam(
      { orgname: organization.name, name: 'admins', type, permission: 'admin' }, as(organization.owner.token),
    );
    const admin = await memberOf(platform, id);
    const makers = await teamOf(platform, organization, await roleOf(platform, organization, [createRoles]));
    const editor = await memberOf(platform, organization.editors, makers);
    const make = (caller: TestUser, name: string, ...permissions: Pair[]) => platform.roles.createRole(
      { org: organization.name, role: { name, permissions: list(...permissions) } }, as(caller.token),
    );
    expect(await reasonOf(make(admin, 'all', ...wholeCatalogue))).toBe('OK');
    expect(await reasonOf(make(editor, 'sync', pair('token_mgmt', 'view sync token')))).toBe('OK');
    // An editor may change the avatar but not the profile, and this pair permits both.
    expect(await reasonOf(make(editor, 'profile', editOrganization))).toBe('PRIVILEGE_ESCALATION');
    expect(await reasonOf(make(editor, 'teams', editTeams))).toBe('PRIVILEGE_ESCALATION');
  });

  it('names the first relation the caller lacks', async () => {
    const organization = await testOrganization(platform);
    const caller = await holderOf(organization, createRoles);
    const refused = platform.roles.createRole(
      { org: organization.name, role: { name: 'more', permissions: list(editOrganization) } }, as(caller.token),
    );
    const [first] = relationsOfPair(editOrganization.namespace, editOrganization.action);
    await expect(refused).rejects.toMatchObject({ metadata: { relation: first!.relation, objectType: first!.type } });
  });

  it('added pairs are compared; pairs of the role and removals are not', async () => {
    const organization = await testOrganization(platform);
    const caller = await holderOf(organization, editRoles, viewTeams);
    const strong = await roleOf(platform, organization, [editTeams, createTeams]);
    const change = (...permissions: Pair[]) => platform.roles.updateRole(
      { org: organization.name, id: strong, role: { permissions: list(...permissions) } }, as(caller.token),
    );
    expect(await reasonOf(change(editTeams, createTeams, viewTeams))).toBe('OK');
    expect(await reasonOf(change(editTeams, viewTeams, viewRoles))).toBe('PRIVILEGE_ESCALATION');
    expect(await reasonOf(change(editTeams, viewTeams))).toBe('OK');
    expect(await reasonOf(change(editTeams, createTeams))).toBe('PRIVILEGE_ESCALATION');
    expect(await reasonOf(change())).toBe('OK');
    expect(await reasonOf(change(editTeams))).toBe('PRIVILEGE_ESCALATION');
  });
});

describe('giving a role to a team (open-points 2.7)', () => {
  it('needs all pairs it then has, from the side of the role', async () => {
    const organization = await testOrganization(platform);
    const caller = await holderOf(organization, editRoles, createRoles, viewTeams);
    const strong = await roleOf(platform, organization, [editTeams, viewTeams]);
    const change = (role: { permissions?: Pair[]; teamIds?: number[] }) => platform.roles.updateRole(
      {
        org: organization.name, id: strong,
        role: { permissions: role.permissions && list(...role.permissions), teamIds: role.teamIds && list(...role.teamIds) },
      },
      as(caller.token),
    );
    expect(await reasonOf(change({ teamIds: [caller.team] }))).toBe('PRIVILEGE_ESCALATION');
    // This call also removes the permissions that the caller lacks. The check uses the final permissions of the role.
    expect(await reasonOf(change({ teamIds: [caller.team], permissions: [viewTeams] }))).toBe('OK');
    expect(await reasonOf(change({ permissions: [viewTeams, editTeams] }))).toBe('PRIVILEGE_ESCALATION');
    const made = platform.roles.createRole(
      { org: organization.name, role: { name: 'made', permissions: list(editTeams), teamIds: list(caller.team) } }, as(caller.token),
    );
    expect(await reasonOf(made)).toBe('PRIVILEGE_ESCALATION');
  });

  it('needs all its pairs, from the side of the team; keeping and taking it away needs none', async () => {
    const organization = await testOrganization(platform);
    const caller = await holderOf(organization, editTeams, createTeams, viewTeams);
    const [strong, weak] = [await roleOf(platform, organization, [editRoles, viewTeams]), await roleOf(platform, organization, [viewTeams])];
    const team = await teamOf(platform, organization, strong);
    const assign = (teamid: number, name: string, ...roleIds: number[]) =>
      platform.teams.updateTeam({ teamid, name, assignedRoleIds: list(...roleIds) }, as(caller.token));
    expect(await reasonOf(assign(caller.team, 'mine', caller.role, strong))).toBe('PRIVILEGE_ESCALATION');
    expect(await reasonOf(assign(caller.team, 'mine', caller.role, weak))).toBe('OK');
    expect(await reasonOf(assign(team, 'other', strong, weak))).toBe('OK');
    expect(await reasonOf(assign(team, 'other', weak))).toBe('OK');
    expect(await reasonOf(assign(team, 'other', weak, strong))).toBe('PRIVILEGE_ESCALATION');
    const make = (name: string, ...roleIds: number[]) => platform.teams.createTeam(
      { orgname: organization.name, name, type, assignedRoleIds: list(...roleIds) }, as(caller.token),
    );
    expect(await reasonOf(make('strong', strong))).toBe('PRIVILEGE_ESCALATION');
    expect(await reasonOf(make('weak', weak))).toBe('OK');
  });
});

describe('the built-in right of a team (open-points 2.7)', () => {
  it('needs every relation that right gives, where it differs from the present one', async () => {
    const organization = await testOrganization(platform);
    const makers = await teamOf(platform, organization, await roleOf(platform, organization, [createTeams, editTeams]));
    const plain = await memberOf(platform, makers);
    const viewer = await memberOf(platform, makers, organization.viewers);
    const make = (caller: TestUser, name: string, permission?: string) => platform.teams.createTeam(
      { orgname: organization.name, name, type, permission }, as(caller.token),
    );
    expect(await reasonOf(make(plain, 'a'))).toBe('PRIVILEGE_ESCALATION');
    expect(await reasonOf(make(viewer, 'a'))).toBe('OK');
    expect(await reasonOf(make(viewer, 'b', 'read'))).toBe('OK');
    expect(await reasonOf(make(viewer, 'c', 'write'))).toBe('PRIVILEGE_ESCALATION');
    expect(await reasonOf(make(viewer, 'c', 'admin'))).toBe('PRIVILEGE_ESCALATION');
    const noRight = platform.teams.createTeam(
      { orgname: organization.name, name: 'd', type, assignedRoleIds: list() }, as(plain.token),
    );
    expect(await reasonOf(noRight)).toBe('OK');

    const change = (caller: TestUser, permission: string) =>
      platform.teams.updateTeam({ teamid: organization.editors, name: 'Editors', permission }, as(caller.token));
    expect(await reasonOf(change(viewer, 'admin'))).toBe('PRIVILEGE_ESCALATION');
    expect(await reasonOf(change(viewer, 'write'))).toBe('OK');
    expect(await reasonOf(change(viewer, 'read'))).toBe('OK');
    expect(await reasonOf(change(viewer, 'write'))).toBe('PRIVILEGE_ESCALATION');
    expect(await reasonOf(change(plain, 'custom'))).toBe('OK');
    expect(await reasonOf(change(plain, 'read'))).toBe('PRIVILEGE_ESCALATION');
  });

  it('is open to admins up to their own, and to site admins', async () => {
    const organization = await testOrganization(platform);
    const make = (token: string, name: string, permission: string) =>
      platform.teams.createTeam({ orgname: organization.name, name, type, permission }, as(token));
    const { id } = await make(platform.adminToken, 'admins', 'admin');
    const admin = await memberOf(platform, id);
    expect(await reasonOf(make(admin.token, 'more admins', 'admin'))).toBe('OK');
  });
});

describe('rights that end', () => {
  it('taking away a right of one\'s own team is allowed and works at once', async () => {
    const organization = await testOrganization(platform);
    const caller = await holderOf(organization, editRoles, viewRoles);
    const change = (...permissions: Pair[]) => platform.roles.updateRole(
      { org: organization.name, id: caller.role, role: { permissions: list(...permissions) } }, as(caller.token),
    );
    expect(await reasonOf(change(viewRoles))).toBe('OK');
    expect(await reasonOf(change(viewRoles))).toBe('FORBIDDEN');
  });

  it('a right that is gone no longer counts for what is given', async () => {
    const organization = await testOrganization(platform);
    const caller = await holderOf(organization, createRoles, viewTeams);
    const make = (name: string) => platform.roles.createRole(
      { org: organization.name, role: { name, permissions: list(viewTeams) } }, as(caller.token),
    );
    expect(await reasonOf(make('before'))).toBe('OK');
    await platform.roles.updateRole(
      { org: organization.name, id: caller.role, role: { permissions: list(createRoles) } }, as(organization.owner.token),
    );
    expect(await reasonOf(make('after'))).toBe('PRIVILEGE_ESCALATION');
  });
});
