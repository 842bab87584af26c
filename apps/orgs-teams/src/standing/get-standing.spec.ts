import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountKind } from '@platform/proto/orgs/v1/identity';
import { sql } from '@platform/postgres';
import { as, rpcClient, until } from '@platform/testing';
import { IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import { operator, reasonOf, startPlatform, type TestPlatform } from '../fixtures/platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
}, 60_000);
afterAll(() => platform[Symbol.asyncDispose]());

const ask = (token: string, slugs: string[] = [], organizationIds: number[] = []) =>
  platform.identity.getStanding({ token, slugs, organizationIds }, operator());

describe('the token (open-points 1.3)', () => {
  it('names the caller and its flags', async () => {
    const user = await platform.user({ noCreateOrganization: true });
    expect((await ask(user.token)).caller).toEqual({
      id: user.id, login: user.name, kind: AccountKind.ACCOUNT_KIND_PERSON, isAdmin: false,
      tokenId: expect.any(Number), systemAdminOf: 0, scopes: ['all'],
    });
  });

  it('may be absent: nobody is no caller', async () => {
    expect((await ask('')).caller).toBeUndefined();
  });

  it('of a system admin names its organization', async () => {
    const owner = await platform.user();
    const { id } = await platform.organization(owner, { username: 'with-token' });
    const { caller } = await ask(await platform.tokenOf({ organization: 'WITH-token' }));
    expect(caller).toMatchObject({ kind: AccountKind.ACCOUNT_KIND_SYSTEM_ADMIN, systemAdminOf: id, isAdmin: false });
  });

  it('unknown, expired, revoked, of an inactive and of a deleted account are refused alike', async () => {
    const [inactive, deleted, other] = await Promise.all([platform.user(), platform.user(), platform.user()]);
    const expired = await platform.tokenOf({ user: other.name, expiresInSeconds: 3_600 });
    await platform.database.execute(sql`
      update access_token set expires_at = now() - interval '1 s' where last_eight = ${expired.slice(-8)}`);
    const tokenId = (await ask(other.token)).caller!.tokenId;
    await platform.admin.revokeToken({ id: tokenId }, operator());
    await platform.admin.updateUser({ username: inactive.name, active: false }, operator());
    await platform.admin.deleteUser({ username: deleted.name, leaveOrganizations: false }, operator());
    const refusals = await Promise.all(
      ['a'.repeat(40), 'short', 'A'.repeat(40), expired, other.token, inactive.token, deleted.token].map((token) =>
        ask(token).then(
          () => 'admitted',
          ({ reason, message }: { reason: string; message: string }) => [reason, message],
        )),
    );
    expect(new Set(refusals.map(String)).size).toBe(1);
    expect(refusals[0]).toEqual(['UNAUTHENTICATED', expect.any(String)]);
  });

  it('of a prohibited account is refused by another name, unless it is inactive too', async () => {
    const user = await platform.user({ prohibitLogin: true });
    expect(await reasonOf(ask(user.token))).toBe('ACCOUNT_DISABLED');
    await platform.admin.updateUser({ username: user.name, active: false }, operator());
    expect(await reasonOf(ask(user.token))).toBe('UNAUTHENTICATED');
  });

  it('is kept as a hash only', async () => {
    const user = await platform.user();
    const rows = await platform.database.query(sql`
      select access_token::text as "row" from access_token where account_id = ${user.id}`);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(user.token);
    expect(JSON.stringify(rows)).toContain(user.token.slice(-8));
  });

  it('notes when it was last used, apart from the request', async () => {
    const user = await platform.user();
    const read = () => platform.database.one(sql<{ at: Date | null }>`
      select last_used_at as "at" from access_token where account_id = ${user.id}`);
    expect((await read()).at).toBeNull();
    await ask(user.token);
    const first = await until(async () => (await read()).at, { what: 'the use is written' });
    await ask(user.token);
    await platform.database.execute(sql`
      update access_token set last_used_at = now() - interval '31 s' where account_id = ${user.id}`);
    const before = (await read()).at!;
    await ask(user.token);
    const later = async () => ((await read()).at! > before ? (await read()).at : undefined);
    const second = await until(later, { what: 'a later use is written' });
    expect(second.getTime()).toBeGreaterThanOrEqual(first.getTime());
  });

  it('notes when it was last used also where the first attempt to write that fails', async () => {
    const user = await platform.user();
    await platform.database.transact(async (transaction) => {
      await transaction.execute(sql`lock table access_token in share mode`);
      await ask(user.token);
      await until(async () => (await platform.database.query(sql`
        select pg_cancel_backend(pid) from pg_stat_activity
         where wait_event_type = 'Lock' and query like '%update access_token set last_used_at%'
           and pid <> pg_backend_pid()`)).length > 0, { what: 'writing it fails' });
    });
    await until(async () => (await platform.database.one(sql<{ at: Date | null }>`
      select last_used_at as "at" from access_token where account_id = ${user.id}`)).at, { what: 'the use is written' });
  });
});

describe('organizations', () => {
  it('are answered by slug and by id, with the principals of the caller', async () => {
    const owner = await platform.user();
    const { id } = await platform.organization(owner, { username: 'Asked', visibility: 'private' });
    await platform.settled(id);
    const { organizations } = await ask(owner.token, ['aSKED']);
    const teams = await platform.database.query(sql<{ id: number; revision: string }>`
      select id, revision from team where organization_id = ${id} and is_owners`);
    expect(organizations).toEqual([{
      id, slug: 'Asked', kind: AccountKind.ACCOUNT_KIND_ORGANIZATION, visible: true, administrative: false, client: false,
      principals: teams.map((team) => ({
        user: `team:${team.id}#member`, revision: team.revision, pending: false, teamId: team.id, isOwners: true,
      })),
    }]);
    expect((await ask(owner.token, [], [id])).organizations).toEqual(organizations);
    expect((await ask(owner.token, ['asked'], [id])).organizations).toEqual(organizations);
  });

  it('list all teams of the caller in ascending order, and no others', async () => {
    const [owner, member] = await Promise.all([platform.user(), platform.user()]);
    const { id } = await platform.organization(owner, { username: 'many-teams' });
    await platform.organization(owner, { username: 'not-asked' });
    await platform.database.execute(sql`
      insert into team_member (team_id, user_id, organization_id)
      select team.id, ${member.id}, ${id} from team where organization_id = ${id} and not is_owners order by id desc`);
    const [organization] = (await ask(member.token, ['many-teams'])).organizations;
    const ids = organization!.principals.map(({ teamId }) => teamId);
    expect(ids).toHaveLength(2);
    expect(ids).toEqual([...ids].sort((one, other) => one - other));
    expect((await ask((await platform.user()).token, ['many-teams'])).organizations[0]!.principals).toEqual([]);
  });

  it('have their system admin as a principal with the revision of the organization', async () => {
    const owner = await platform.user();
    const { id } = await platform.organization(owner, { username: 'by-system-admin', visibility: 'private' });
    await platform.settled(id);
    const token = await platform.tokenOf({ organization: 'by-system-admin' });
    const { caller, organizations } = await ask(token, ['by-system-admin']);
    const { revision } = await platform.database.one(sql<{ revision: string }>`select revision from account where id = ${id}`);
    expect(organizations[0]).toMatchObject({
      visible: true,
      principals: [{ user: `user:${caller!.id}`, revision, pending: false, teamId: 0, isOwners: false }],
    });
  });

  it('include the organization of a system admin, where it is asked for', async () => {
    const owner = await platform.user();
    const { id } = await platform.organization(owner, { username: 'own-organization', visibility: 'private' });
    const own = (token: string, ownOrganization: boolean) =>
      platform.identity.getStanding({ token, slugs: [], organizationIds: [], ownOrganization }, operator());
    const token = await platform.tokenOf({ organization: 'own-organization' });
    expect((await own(token, true)).organizations).toEqual([
      expect.objectContaining({ id, slug: 'own-organization', visible: true }),
    ]);
    expect((await own(token, false)).organizations).toEqual([]);
    expect((await own(owner.token, true)).organizations).toEqual([]);
  });

  it('that the caller may not see are in it as invisible; system admins are never accounts to ask for', async () => {
    const owner = await platform.user();
    const { id } = await platform.organization(owner, { username: 'unseen', visibility: 'private' });
    const { organizations } = await ask('', ['unseen', `org-${id}-system`, 'nothing-there']);
    expect(organizations).toEqual([expect.objectContaining({ id, visible: false, principals: [] })]);
  });

  it('and users: the account of the caller acts for itself, another one stays invisible', async () => {
    const [one, other] = await Promise.all([platform.user(), platform.user()]);
    const { organizations } = await ask(one.token, [], [one.id, other.id]);
    const byId = new Map(organizations.map((organization) => [organization.id, organization]));
    expect(byId.get(one.id)).toMatchObject({
      kind: AccountKind.ACCOUNT_KIND_PERSON, visible: true,
      principals: [{ user: `user:${one.id}`, revision: '', pending: false, teamId: 0, isOwners: false }],
    });
    expect(byId.get(other.id)).toMatchObject({ visible: false, principals: [] });
  });

  it('know the administrative one', async () => {
    const { caller, organizations } = await ask(platform.adminToken, ['administration']);
    expect(caller).toMatchObject({ login: 'platform-admin', isAdmin: true });
    expect(organizations).toMatchObject([{ administrative: true, visible: true, principals: [{ isOwners: true }] }]);
  });

  it('are at most 1000', async () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => index + 1);
    expect(await reasonOf(ask('', [], ids))).toBe('OK');
    expect(await reasonOf(ask('', ['one-more'], ids))).toBe('TOO_MANY_ITEMS');
  });
});

describe('what waits', () => {
  it('names the principals it touches, and no other', async () => {
    const [owner, editor, viewer] = await Promise.all([platform.user(), platform.user(), platform.user()]);
    const { id } = await platform.organization(owner, { username: 'waiting' });
    const teamOf = async (user: { id: number }, name: string) => (await platform.database.one(sql<{ id: number }>`
      with team as (select id from team where organization_id = ${id} and name = ${name}), added as (
        insert into team_member (team_id, user_id, organization_id) select id, ${user.id}, ${id} from team)
      select id from team`)).id;
    const editors = await teamOf(editor, 'Editors');
    await teamOf(viewer, 'Viewers');
    await platform.settled(id);
    await platform.authz.stop();
    const before = (await ask(editor.token, ['waiting'])).organizations[0]!.principals;
    await platform.database.execute(sql`update team set permission = 'admin' where id = ${editors}`);
    const after = (await ask(editor.token, ['waiting'])).organizations[0]!.principals;
    expect(after).toEqual([{ ...before[0]!, revision: expect.any(String), pending: true }]);
    expect(after[0]!.revision).not.toBe(before[0]!.revision);
    expect((await ask(viewer.token, ['waiting'])).organizations[0]!.principals).toMatchObject([{ pending: false }]);
    expect(await reasonOf(platform.identity.settle({ organizationId: id }, as(undefined, 1_000)))).toBe('UNAVAILABLE');
    await platform.database.execute(sql`
      insert into projection_pending (organization_id, unit) values (${id}, 'all')`);
    expect((await ask(viewer.token, ['waiting'])).organizations[0]!.principals).toMatchObject([{ pending: true }]);
    await platform.authz.replicas[0].restart();
    await until(async () => !(await ask(editor.token, ['waiting'])).organizations[0]!.principals[0]!.pending, {
      what: 'the engine has followed', within: 15_000,
    });
  }, 60_000);
});

describe('internal methods', () => {
  it('need the service credential', async () => {
    const user = await platform.user();
    const stranger = await rpcClient(IdentityServiceService, platform.service);
    expect(
      await reasonOf(stranger.getStanding({ token: user.token, slugs: [], organizationIds: [] }, operator())),
    ).toBe('UNAUTHENTICATED');
  });

  it('resolve the owners of what lives here', async () => {
    const owner = await platform.user();
    const { id } = await platform.organization(owner, { username: 'owning' });
    const [team] = await platform.database.query(sql<{ id: number }>`
      select id from team where organization_id = ${id} and is_owners`);
    const role = await platform.database.one(sql<{ id: number }>`
      insert into role (organization_id, name) values (${id}, 'r') returning id`);
    const token = (await ask(owner.token)).caller!;
    const robot = (await ask(await platform.tokenOf({ organization: 'owning' }))).caller!;
    const owners = async (type: string, ids: number[]) =>
      (await platform.identity.resolveOwners({ type, ids }, operator())).owners;
    expect(
      await owners('team', [team!.id, 999_999]),
    ).toEqual([{ id: team!.id, ownerId: id, teamId: team!.id, isOwnersTeam: true }]);
    expect(await owners('role', [role.id])).toEqual([{ id: role.id, ownerId: id, teamId: 0, isOwnersTeam: false }]);
    expect(await owners('token', [token.tokenId, robot.tokenId])).toEqual(expect.arrayContaining([
      { id: token.tokenId, ownerId: owner.id, teamId: 0, isOwnersTeam: false },
      { id: robot.tokenId, ownerId: id, teamId: 0, isOwnersTeam: false },
    ]));
    expect(
      await owners('robot_ac', [robot.id, owner.id]),
    ).toEqual([{ id: robot.id, ownerId: id, teamId: 0, isOwnersTeam: false }]);
    expect(
      await reasonOf(platform.identity.resolveOwners({ type: 'cluster', ids: [1] }, operator())),
    ).toBe('INVALID_OBJECT_TYPE');
    const ids = Array.from({ length: 1_001 }, (_, index) => index + 1);
    expect(await reasonOf(platform.identity.resolveOwners({ type: 'team', ids }, operator()))).toBe('TOO_MANY_ITEMS');
  });
});
