import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Verdict } from '@platform/proto/orgs/v1/admin';
import { sql } from '@platform/postgres';
import { organizationObject, siteTuple, teamMembers, teamRightTuple } from '@platform/relations';
import { operator, pathsOf, reasonOf, startPlatform, type TestPlatform, type TestUser } from '../fixtures/platform.ts';

let platform: TestPlatform;
let owner: TestUser, viewer: TestUser, helper: TestUser, stranger: TestUser, siteAdmin: TestUser;
let organizationId: number;
let teams: Record<'Owners' | 'Editors' | 'Viewers' | 'Helpers', number>;
let roleId: number;

beforeAll(async () => {
  platform = await startPlatform();
  const { database } = platform;
  [owner, viewer, helper, stranger, siteAdmin] = await Promise.all([
    platform.user({ username: 'owner' }), platform.user({ username: 'viewer' }), platform.user({ username: 'helper' }),
    platform.user({ username: 'stranger' }), platform.user({ username: 'sam', admin: true }),
  ]);
  ({ id: organizationId } = await platform.organization(owner, { username: 'Explained' }));
  await database.execute(sql`
    insert into team (organization_id, name, permission) values (${organizationId}, 'Helpers', 'custom')`);
  const rows = await database.query(sql<{ id: number; name: keyof typeof teams }>`
    select id, name from team where organization_id = ${organizationId}`);
  teams = Object.fromEntries(rows.map(({ id, name }) => [name, id])) as typeof teams;
  ({ id: roleId } = await database.one(sql<{ id: number }>`
    insert into role (organization_id, name) values (${organizationId}, 'Gardener') returning id`));
  await database.execute(sql`
    insert into role_permission (role_id, organization_id, namespace, action)
    values (${roleId}, ${organizationId}, 'team_mgmt', 'edit teams')`);
  await database.execute(sql`
    insert into team_role (role_id, team_id, organization_id) values (${roleId}, ${teams.Helpers}, ${organizationId})`);
  await join(viewer, teams.Viewers);
  await join(helper, teams.Helpers);
}, 60_000);
afterAll(() => platform[Symbol.asyncDispose]());

const join = (user: TestUser, teamId: number) => platform.database.execute(sql`
  insert into team_member (team_id, user_id, organization_id) values (${teamId}, ${user.id}, ${organizationId})`);
const explain = (user: string, relation: string, object: string) =>
  platform.admin.explain({ user, relation, object }, operator());
const team = (name: keyof typeof teams) => ({ id: teams[name], name });

describe('Explain', () => {
  it('names the right of a team that allows it', async () => {
    expect(await explain('OWNER', 'can_delete', organizationObject(organizationId))).toMatchObject({
      allowed: true, verdict: Verdict.VERDICT_GRANTED, signsIn: true, engineAgrees: true,
      owner: { id: organizationId, name: 'Explained', kind: 'organization' },
      paths: [{ team: team('Owners'), through: 'right', right: 'owner' }],
      requirements: [{ kind: 'right', right: 'owner' }],
    });
  });

  it('names the role and its permission that allow it', async () => {
    const explained = await explain('helper', 'can_edit', `team:${teams.Editors}`);
    expect(explained).toMatchObject({ allowed: true, verdict: Verdict.VERDICT_GRANTED });
    expect(explained.paths).toEqual([{
      team: team('Helpers'), through: 'role', right: '',
      role: { id: roleId, name: 'Gardener', namespace: 'team_mgmt', action: 'edit teams' },
    }]);
  });

  it('says what would have to hold where it is refused, and through what the user acts', async () => {
    expect(await explain('viewer', 'can_edit', `team:${teams.Editors}`)).toMatchObject({
      allowed: false, verdict: Verdict.VERDICT_NOT_GRANTED, paths: [], engineAgrees: true,
      requirements: [
        { kind: 'right', right: 'admin' }, { kind: 'permission', namespace: 'team_mgmt', action: 'edit teams' },
      ],
      principals: [{ team: team('Viewers'), right: 'read', roles: [] }],
    });
  });

  it('knows that being in this team is enough, and that roles give nothing on Owners', async () => {
    expect((await explain('helper', 'can_view', `team:${teams.Helpers}`)).paths).toMatchObject([
      { through: 'own_team', team: team('Helpers') },
    ]);
    expect(await explain('helper', 'can_view', `team:${teams.Viewers}`)).toMatchObject({ allowed: false });
    expect(await explain('helper', 'can_edit', `team:${teams.Owners}`)).toMatchObject({
      allowed: false, requirements: [{ kind: 'right', right: 'owner' }],
    });
  });

  it('says that being in this team would be enough', async () => {
    expect(await explain('owner', 'can_leave', `team:${teams.Viewers}`)).toMatchObject({
      allowed: false, verdict: Verdict.VERDICT_NOT_GRANTED, requirements: [{ kind: 'own_team' }],
    });
    expect((await explain('helper', 'can_view', `team:${teams.Viewers}`)).requirements).toContainEqual(
      expect.objectContaining({ kind: 'own_team' }),
    );
  });

  it('knows site admins, strangers, system admins and what is one\'s own', async () => {
    const organization = organizationObject(organizationId);
    const verdictOf = async (...question: [string, string, string]) => (await explain(...question)).verdict;
    expect(await verdictOf('sam', 'can_delete', organization)).toBe(Verdict.VERDICT_SITE_ADMIN);
    expect(await verdictOf('stranger', 'can_view', organization)).toBe(Verdict.VERDICT_NOT_A_MEMBER);
    expect(await verdictOf('owner', 'can_edit_branding', organization)).toBe(Verdict.VERDICT_SITE_ADMINS_ONLY);
    expect(await verdictOf('sam', 'can_admin_view_claims', 'site:main')).toBe(Verdict.VERDICT_SITE_ADMIN);
    expect(await verdictOf('owner', 'can_admin_view_claims', 'site:main')).toBe(Verdict.VERDICT_SITE_ADMINS_ONLY);
    expect(await verdictOf('viewer', 'can_edit', `user:${viewer.id}`)).toBe(Verdict.VERDICT_OWN);
    expect(await verdictOf('viewer', 'can_edit', `user:${stranger.id}`)).toBe(Verdict.VERDICT_NOT_THE_OWNER);
    expect(await verdictOf('sam', 'can_edit', `user:${siteAdmin.id}`)).toBe(Verdict.VERDICT_SITE_ADMIN);
    expect((await explain(`org-${organizationId}-system`, 'can_issue_license', organization)).paths).toMatchObject([
      { through: 'system_admin', team: undefined },
    ]);
  });

  it('says that the account is not admitted, although it holds relations', async () => {
    const barred = await platform.user({ username: 'barred' });
    await join(barred, teams.Viewers);
    await platform.admin.updateUser({ username: barred.name, prohibitLogin: true }, operator());
    const explained = await explain('barred', 'can_list_teams', organizationObject(organizationId));
    expect(explained).toMatchObject({ allowed: true, signsIn: false });
  });

  it('follows what was changed a moment ago', async () => {
    await platform.database.execute(sql`update team set permission = 'admin' where id = ${teams.Helpers}`);
    expect(await explain('helper', 'can_create_team', organizationObject(organizationId))).toMatchObject({
      allowed: true, engineAgrees: true,
    });
    await platform.database.execute(sql`update team set permission = 'custom' where id = ${teams.Helpers}`);
    expect(await explain('helper', 'can_create_team', organizationObject(organizationId))).toMatchObject({
      allowed: false, engineAgrees: true,
    });
  });

  it('decides by the engine, and says so where the rows say otherwise', async () => {
    const planted = teamRightTuple(organizationId, teams.Viewers, 'admin');
    await platform.engine.writeTuples({ writes: [planted], deletes: [] }, operator());
    expect(await explain('viewer', 'can_create_team', organizationObject(organizationId))).toMatchObject({
      allowed: true, engineAgrees: false,
    });
    await platform.engine.writeTuples({ writes: [], deletes: [planted] }, operator());
  });

  it('fills a store that was lost before it answers', async () => {
    const filter = { object: organizationObject(organizationId), relation: '', user: '' };
    const { tuples } = await platform.engine.readTuples({ filters: [filter], pageToken: '', pageSize: 0 }, operator());
    expect(tuples).toContainEqual(siteTuple(organizationId));
    expect(tuples.map(({ user }) => user)).toContain(teamMembers(teams.Viewers));
    await platform.engine.writeTuples({ writes: [], deletes: tuples }, operator());
    expect(await explain('viewer', 'can_list_teams', organizationObject(organizationId))).toMatchObject({
      allowed: true, engineAgrees: true,
    });
  });

  it.each([
    ['nobody', 'can_view', 'site:main', 'NOT_FOUND'],
    ['explained', 'can_view', 'site:main', 'NOT_FOUND'],
    ['owner', 'can_view', 'team:9007199254740991', 'NOT_FOUND'],
    ['owner', 'can_view', 'organization:9007199254740991', 'NOT_FOUND'],
    ['owner', 'can_view', 'planet:1', 'INVALID_OBJECT_TYPE'],
    ['owner', 'can_view', 'cluster:1', 'INVALID_OBJECT_TYPE'],
  ])('refuses %s %s %s: %s', async (user, relation, object, reason) => {
    expect(await reasonOf(explain(user, relation, object))).toBe(reason);
  });

  it('names what is wrong with a question', async () => {
    expect(await pathsOf(explain('owner', 'can_fly', organizationObject(organizationId)))).toEqual(['relation']);
    expect(await pathsOf(explain('owner', 'can_edit', 'site:main'))).toEqual(['relation']);
    expect(await pathsOf(explain('owner', 'can_view', 'team'))).toEqual(['object']);
    expect(await pathsOf(explain('owner', 'can_view', 'team:0'))).toEqual(['object']);
  });
});
