import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Fault } from '@platform/faults';
import { sql } from '@platform/postgres';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { StatusServiceService } from '@platform/proto/status/v1/status';
import { platformVersion } from '@platform/service';
import { as, rpcClient, startService, testDatabase, testSecret } from '@platform/testing';
import { operator, pathsOf, reasonOf, startPlatform, type TestPlatform } from '../fixtures/platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
}, 60_000);
afterAll(() => platform[Symbol.asyncDispose]());

const blank = {
  fullName: '', admin: false, noCreateOrganization: false, prohibitLogin: false, inactive: false,
};

/** Whether a user is among the administrative Owners. */
async function isAdministrativeOwner(userId: number): Promise<boolean> {
  const { owner } = await platform.database.one(sql<{ owner: boolean }>`
    select exists (
      select from team_member member
        join team on team.id = member.team_id and team.is_owners
        join organization on organization.id = team.organization_id and org_type = 6
       where member.user_id = ${userId}
    ) as "owner"`);
  return owner;
}

describe('creating a user', () => {
  it('makes the user and nothing else', async () => {
    const user = await platform.admin.createUser(
      { ...blank, username: 'Jo.Doe', email: 'jo@example.org', fullName: 'Jo' }, operator(),
    );
    expect(user).toEqual({
      id: expect.any(Number), username: 'Jo.Doe', email: 'jo@example.org', fullName: 'Jo', admin: false, active: true,
      prohibitLogin: false, mayCreateOrganization: true,
    });
    expect(await platform.database.query(sql`select from team_member where user_id = ${user.id}`)).toEqual([]);
    expect(await platform.database.query(sql`select from access_token where account_id = ${user.id}`)).toEqual([]);
  });

  it('makes a site admin an owner of the administrative organization', async () => {
    const user = await platform.user({ admin: true });
    expect(await isAdministrativeOwner(user.id)).toBe(true);
    expect(await reasonOf(platform.organizations.checkOwner({ orgname: 'administration' }, as(user.token)))).toBe('OK');
  });

  it.each([
    [{ username: '', email: 'a@b' }, ['username']],
    [{ username: 'new', email: 'a@b' }, ['username']],
    [{ username: 'ok', email: 'nowhere' }, ['email']],
    [{ username: 'a b', email: '', fullName: 'x'.repeat(101) }, ['username', 'email', 'fullName']],
  ])('%j is refused for %j', async (given, paths) => {
    expect(await pathsOf(platform.admin.createUser({ ...blank, ...given }, operator()))).toEqual(paths);
  });

  it('needs name and address', async () => {
    expect(await pathsOf(platform.admin.createUser(blank, operator()))).toEqual(['username', 'email']);
  });

  it('refuses a taken name in any case, also of an organization', async () => {
    const owner = await platform.user({ username: 'first' });
    await platform.organization(owner, { username: 'an-organization' });
    for (const username of ['FIRST', 'An-Organization', 'PLATFORM-ADMIN']) {
      expect(
        await reasonOf(platform.admin.createUser({ ...blank, username, email: 'a@b' }, operator())),
      ).toBe('ALREADY_EXISTS');
    }
  });
});

describe('changing a user', () => {
  it('changes what is given and leaves the rest', async () => {
    const user = await platform.user();
    expect(await platform.admin.updateUser({ username: user.name.toUpperCase(), prohibitLogin: true }, operator()))
      .toMatchObject({ username: user.name, prohibitLogin: true, active: true, admin: false });
    expect(await platform.admin.updateUser({ username: user.name }, operator())).toMatchObject({ prohibitLogin: true });
  });

  it('the flag adds to the administrative Owners, clearing it takes out, at once', async () => {
    const user = await platform.user();
    const sees = () => reasonOf(platform.organizations.getOrganization({ orgname: 'administration' }, as(user.token)));
    expect(await sees()).toBe('NOT_FOUND');
    await platform.admin.updateUser({ username: user.name, admin: true }, operator());
    expect([await isAdministrativeOwner(user.id), await sees()]).toEqual([true, 'OK']);
    await platform.admin.updateUser({ username: user.name, admin: false }, operator());
    expect([await isAdministrativeOwner(user.id), await sees()]).toEqual([false, 'NOT_FOUND']);
  });

  it('an unknown name, an organization and a system admin are no users', async () => {
    const owner = await platform.user();
    const { id } = await platform.organization(owner, { username: 'no-user' });
    for (const username of ['nobody-at-all', 'no-user', `org-${id}-system`, '', 'a b']) {
      expect(await reasonOf(platform.admin.updateUser({ username, active: true }, operator()))).toBe('NOT_FOUND');
    }
  });
});

describe('the last site admin (open-points 1.10)', () => {
  const others = () => platform.database.query(sql<{ name: string }>`
    select name from account where is_admin and active and not prohibit_login and name <> 'platform-admin'`);
  beforeAll(async () => {
    for (const { name } of await others()) {
      await platform.admin.updateUser({ username: name, admin: false }, operator());
    }
  });

  it.each([
    { admin: false }, { active: false }, { prohibitLogin: true },
  ])('is refused %j', async (change) => {
    expect(
      await reasonOf(platform.admin.updateUser({ username: 'platform-admin', ...change }, operator())),
    ).toBe('LAST_OWNER');
  });

  it('is not deleted', async () => {
    expect(await reasonOf(platform.admin.deleteUser({ username: 'platform-admin', leaveOrganizations: false }, operator()))).toBe('LAST_OWNER');
  });

  it('another one who cannot sign in does not count', async () => {
    const other = await platform.user({ admin: true, inactive: true });
    expect(
      await reasonOf(platform.admin.updateUser({ username: 'platform-admin', active: false }, operator())),
    ).toBe('LAST_OWNER');
    expect(await reasonOf(platform.admin.updateUser({ username: other.name, admin: false }, operator()))).toBe('OK');
  });

  it('of two who are taken out at once exactly one goes', async () => {
    for (let round = 0; round < 5; round += 1) {
      const other = await platform.user({ admin: true });
      const reasons = await Promise.all([other.name, 'platform-admin'].map((username) =>
        reasonOf(platform.admin.updateUser({ username, admin: false }, operator()))));
      expect(reasons.sort()).toEqual(['LAST_OWNER', 'OK']);
      await platform.admin.updateUser({ username: 'platform-admin', admin: true }, operator());
      await platform.admin.updateUser({ username: other.name, admin: false }, operator());
    }
  });
});

describe('deleting a user', () => {
  it('takes tokens and memberships along, and frees the name', async () => {
    const [owner, user] = await Promise.all([platform.user(), platform.user({ username: 'Leaving' })]);
    const { id } = await platform.organization(owner, { username: 'stays' });
    await platform.database.execute(sql`
      insert into team_member (team_id, user_id, organization_id)
      select id, ${user.id}, ${id} from team where organization_id = ${id} and name in ('Owners', 'Viewers')`);
    await platform.admin.deleteUser({ username: 'LEAVING', leaveOrganizations: false }, operator());
    expect(await platform.database.query(sql`select from team_member where user_id = ${user.id}`)).toEqual([]);
    expect(
      await reasonOf(platform.organizations.getOrganization({ orgname: 'stays' }, as(user.token))),
    ).toBe('UNAUTHENTICATED');
    const again = await platform.user({ username: 'leaving' });
    expect(again.id).toBeGreaterThan(user.id);
    expect(await reasonOf(platform.admin.deleteUser({ username: 'gone-already', leaveOrganizations: false }, operator()))).toBe('NOT_FOUND');
  });

  it('is refused for the last owner of organizations, which are named', async () => {
    const user = await platform.user();
    await platform.organization(user, { username: 'b-only' });
    await platform.organization(user, { username: 'a-only' });
    const deleting = platform.admin.deleteUser({ username: user.name, leaveOrganizations: false }, operator());
    const error = await deleting.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Fault);
    expect(error).toMatchObject({ reason: 'LAST_OWNER', metadata: { organizations: 'a-only,b-only', organizationCount: '2' } });
    const checkOwner = () => platform.organizations.checkOwner({ orgname: 'a-only' }, as(user.token));
    expect(await reasonOf(platform.patiently(checkOwner))).toBe('OK');
    const { marks } = await platform.database.one(sql<{ marks: number }>`
      select count(*) as "marks" from account where closing_at is not null`);
    expect(marks).toBe(0);
  });

  it('leaves organizations to the owners of the administrative organization where that is asked for', async () => {
    const [user, other] = await Promise.all([platform.user(), platform.user()]);
    await platform.organization(user, { username: 'left-behind' });
    const shared = await platform.organization(user, { username: 'shared-with' });
    await platform.database.execute(sql`
      insert into team_member (team_id, user_id, organization_id)
      select id, ${other.id}, ${shared.id} from team where organization_id = ${shared.id} and is_owners`);
    await platform.admin.deleteUser({ username: user.name, leaveOrganizations: true }, operator());
    const ownersOf = async (name: string) => (await platform.database.query(sql<{ id: number }>`
      select m.user_id as "id" from team_member m join team t on t.id = m.team_id and t.is_owners
        join account a on a.id = m.organization_id where a.name = ${name} order by 1`)).map(({ id }) => id);
    expect(await ownersOf('left-behind')).toEqual(await ownersOf('administration'));
    expect(await ownersOf('shared-with')).toEqual([other.id]);
    const { entries } = await platform.admin.listAudit(
      { organization: 'left-behind', account: '', action: 'team.add_member', pageSize: 50, pageToken: '' }, operator(),
    );
    expect(entries.map(({ object }) => object)).toEqual([expect.stringMatching(/^team:\d+$/)]);
  });

  it('names some of the many organizations that would be left without an owner, and their number', async () => {
    const user = await platform.user();
    await platform.database.execute(sql`
      with accounts as (
        insert into account (kind, name) select 'organization', 'many-' || 100 + n from generate_series(1, 25) n
        returning id
      ), organizations as (
        insert into organization (id) select id from accounts returning id
      ), owners as (
        insert into team (organization_id, name, permission, is_owners)
        select id, 'Owners', 'owner', true from organizations returning id, organization_id
      )
      insert into team_member (team_id, user_id, organization_id)
      select id, ${user.id}, organization_id from owners`);
    const error = await platform.admin.deleteUser({ username: user.name, leaveOrganizations: false }, operator()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: 'LAST_OWNER', metadata: { organizationCount: '25' } });
    const { message, metadata } = error as Fault;
    expect(message).toMatch(/^this user is the last owner of many-101, many-102, .*, many-120 and 5 more: make /);
    expect(metadata['organizations']!.split(',')).toHaveLength(20);
  });

  it('of the two owners of an organization deleted at once exactly one goes', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = await Promise.all([platform.user(), platform.user()]);
      const { id } = await platform.organization(one, { username: `two-owners-${round}` });
      await platform.database.execute(sql`
        insert into team_member (team_id, user_id, organization_id)
        select id, ${other.id}, ${id} from team where organization_id = ${id} and is_owners`);
      const reasons = await Promise.all([one, other].map(({ name }) =>
        reasonOf(platform.admin.deleteUser({ username: name, leaveOrganizations: false }, operator()))));
      expect(reasons.sort()).toEqual(['LAST_OWNER', 'OK']);
    }
  });
});

describe('tokens', () => {
  it('open what their account may, until they are revoked', async () => {
    const user = await platform.user();
    const { id, token } = await platform.admin.createToken(
      { user: user.name, organization: '', name: 'laptop', expiresInSeconds: 60 }, operator(),
    );
    const check = () => reasonOf(platform.organizations.getOrganization({ orgname: 'administration' }, as(token)));
    expect(token).toMatch(/^[0-9a-f]{40}$/);
    expect(await check()).toBe('NOT_FOUND');
    await platform.admin.revokeToken({ id }, operator());
    expect(await check()).toBe('UNAUTHENTICATED');
    expect(await reasonOf(platform.admin.revokeToken({ id }, operator()))).toBe('NOT_FOUND');
  });

  it.each([
    [{ user: '', organization: '', name: 'x' }, ['user']],
    [{ user: 'a', organization: 'b', name: 'x' }, ['user']],
    [{ user: 'a', organization: '', name: '' }, ['name']],
    [{ user: 'a', organization: '', name: 'x'.repeat(101) }, ['name']],
    [{ user: 'a', organization: '' }, ['name']],
    [{ user: 'a', organization: '', name: 'x', expiresInSeconds: -1 }, ['expiresInSeconds']],
  ])('%j is refused for %j', async (request, paths) => {
    expect(await pathsOf(platform.admin.createToken({ expiresInSeconds: 0, ...request }, operator()))).toEqual(paths);
  });

  it('need an account', async () => {
    const owner = await platform.user();
    const create = (request: { user: string; organization: string }) =>
      reasonOf(platform.admin.createToken({ ...request, name: 'x', expiresInSeconds: 0 }, operator()));
    expect(await create({ user: 'nobody-here', organization: '' })).toBe('NOT_FOUND');
    expect(await create({ user: '', organization: owner.name })).toBe('NOT_FOUND');
    expect(await create({ user: 'administration', organization: '' })).toBe('NOT_FOUND');
    expect(await create({ user: '', organization: 'Administration' })).toBe('OK');
  });
});

describe('the status', () => {
  it('has the queue and the site admins', async () => {
    const status = await platform.admin.getStatus({}, operator());
    expect(status).toMatchObject({ administrativeOrganization: 'administration', failingUnits: [] });
    expect(status.siteAdmins).toBeGreaterThanOrEqual(1);
  });

  it('has version and schema, as that of every service', async () => {
    const { serviceCredential, service } = platform;
    const client = await rpcClient(StatusServiceService, service, { serviceCredential });
    const { version, migrations } = await client.getStatus({}, operator());
    expect(version).toBe(platformVersion);
    expect(migrations.length).toBeGreaterThanOrEqual(5);
    expect(migrations.every(({ appliedAt }) => /^\d{4}-.*Z$/.test(appliedAt))).toBe(true);
  });
});

describe('an account that other services hold things for (authorization.md W5)', () => {
  it('stays as long as one of them holds something, or does not answer', async () => {
    const database = await testDatabase('clusters');
    const clusters = await startService('clusters', {
      ...database.settings,
      'secrets.serviceCredential': platform.serviceCredential,
      'services.orgsTeams': platform.service.addressList('grpc'),
      'services.authz': platform.authz.addressList('grpc'),
      'services.contractsLicensing': '127.0.0.1:9',
      'secrets.encryptionKeys': testSecret(),
    });
    const internal = { serviceCredential: platform.serviceCredential };
    const owners = await rpcClient(ClusterOwnerServiceService, clusters, internal);
    const admin = await rpcClient(
      AdminServiceService, await platform.startAnother({ 'services.clusters': clusters.addressList('grpc') }), internal,
    );
    const user = await platform.user();
    const cluster = { uid: randomUUID(), ownerId: user.id, name: 'a-cluster', displayName: '' };
    const { clusters: [held] } = await owners.putClusters({ clusters: [cluster] }, operator());
    const remove = () => reasonOf(admin.deleteUser({ username: user.name, leaveOrganizations: false }, operator()));

    expect(await remove()).toBe('ORG_IN_USE');
    // The account is open again, so things can be added to it.
    const another = { ...cluster, uid: randomUUID(), name: 'another' };
    expect(await reasonOf(owners.putClusters({ clusters: [another] }, operator()))).toBe('OK');
    await owners.moveCluster({ id: held!.id, ownerId: (await platform.user()).id }, operator());
    expect(await remove()).toBe('ORG_IN_USE');
    await clusters.stop();
    expect(await remove()).toBe('UNAVAILABLE');
    expect(await reasonOf(platform.organizations.getOrganization({ orgname: 'administration' }, as(user.token))))
      .toBe('NOT_FOUND');
  }, 90_000);
});
