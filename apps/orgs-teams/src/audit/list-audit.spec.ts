import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ListAuditRequest } from '@platform/proto/orgs/v1/admin';
import { AuditServiceService } from '@platform/proto/orgs/v1/audit';
import { sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { as, rpcClient, until } from '@platform/testing';
import { deleteOldAudit } from '@platform/writes';
import { operator, pathsOf, reasonOf, startPlatform, type TestPlatform, type TestUser } from '../fixtures/platform.ts';

let platform: TestPlatform;
let owner: TestUser;
let organizationId: number;

beforeAll(async () => {
  platform = await startPlatform();
  owner = await platform.user({ username: 'Audrey' });
  ({ id: organizationId } = await platform.organization(owner, { username: 'Ledger' }));
}, 60_000);
afterAll(() => platform[Symbol.asyncDispose]());

const list = (request: Partial<ListAuditRequest>) =>
  platform.admin.listAudit({ account: '', action: '', pageSize: 0, pageToken: '', ...request }, operator());
const actionsOf = async (request: Partial<ListAuditRequest>) =>
  (await list(request)).entries.map(({ action }) => action);

describe('ListAudit', () => {
  it('lists changes newest first, page by page, and holds no secret', async () => {
    const user = await platform.user({ username: 'audited-user' });
    await platform.admin.updateUser({ username: user.name, prohibitLogin: true }, operator());
    await platform.admin.updateUser({ username: user.name, prohibitLogin: false }, operator());
    const list = (pageToken: string) =>
      platform.admin.listAudit({ account: 'AUDITED-user', action: '', pageSize: 2, pageToken }, operator());
    const first = await list('');
    const second = await list(first.pageToken);
    const actions = [...first.entries, ...second.entries].map(({ action }) => action);
    expect(actions).toEqual(['user.update', 'user.update', 'token.create', 'user.create']);
    expect(second.pageToken).toBe('');
    expect(first.entries[0]).toMatchObject({ actor: 'operator', actorId: 0, object: `user:${user.id}` });
    const everything = await platform.admin.listAudit(
      { account: '', action: '', pageSize: 1_000, pageToken: '' }, operator(),
    );
    expect(JSON.stringify(everything)).not.toContain(user.token);
  });

  it('shows a change of the address, and nothing where nothing changed', async () => {
    const { name: username } = await platform.user({ username: 'moved-user', email: 'old@example.org' });
    for (const change of [{ email: 'new@example.org' }, { email: 'new@example.org' }, { active: true }, {}]) {
      await platform.admin.updateUser({ username, ...change }, operator());
    }
    const { entries } = await list({ account: username, action: 'user.update' });
    expect(entries.map(({ details }) => JSON.parse(details) as unknown)).toEqual([
      { before: { email: 'old@example.org' }, after: { email: 'new@example.org' } },
    ]);
  });

  it('restricts to an action, and refuses a made-up page', async () => {
    const { entries } = await platform.admin.listAudit(
      { account: '', action: 'user.create', pageSize: 0, pageToken: '' }, operator(),
    );
    expect(new Set(entries.map(({ action }) => action))).toEqual(new Set(['user.create']));
    expect(
      await pathsOf(platform.admin.listAudit({ account: '', action: '', pageSize: 0, pageToken: 'x' }, operator())),
    ).toEqual(['pageToken']);
  });

  it('shows what anybody did in an organization, ignoring case', async () => {
    const { entries } = await list({ organization: 'lEDGER' });
    expect(entries.map(({ action, actor, actorId }) => ({ action, actor, actorId }))).toContainEqual(
      { action: 'organization.create', actor: 'Audrey', actorId: owner.id },
    );
    expect(new Set(entries.map((entry) => entry.organizationId))).toEqual(new Set([organizationId]));
  });

  it('shows what an account did, and what the operator did', async () => {
    expect(await actionsOf({ actor: 'audrey' })).toContain('organization.create');
    expect(await actionsOf({ actor: 'audrey' })).not.toContain('user.create');
    expect(await actionsOf({ actor: 'operator' })).toContain('user.create');
    expect(await actionsOf({ actor: 'nobody-of-this-name' })).toEqual([]);
  });

  it('still shows what a deleted user did', async () => {
    const guest = await platform.user({ username: 'guest' });
    await platform.organization(guest, { username: 'guests' });
    await platform.organizations.deleteOrganization({ orgname: 'guests' }, as(guest.token));
    await platform.admin.deleteUser({ username: 'guest', leaveOrganizations: false }, operator());
    expect(await actionsOf({ actor: 'guest' })).toEqual(['organization.delete', 'organization.create']);
    expect(await reasonOf(list({ organization: 'guests' }))).toBe('NOT_FOUND');
  });

  it('shows what was done to a user, also a deleted one', async () => {
    const { id, name } = await platform.user({ username: 'Subject' });
    const teams = await platform.database.query(sql<{ id: number }>`
      select id from team where organization_id = ${organizationId} and not is_owners order by id`);
    const asOwner = as(owner.token);
    const members = { username: name };
    await platform.teamMembers.addTeamMember({ teamid: teams[0]!.id, ...members }, asOwner);
    await platform.teamMembers.removeTeamMember({ teamid: teams[0]!.id, ...members }, asOwner);
    await platform.teamMembers.addTeamMember({ teamid: teams[1]!.id, ...members }, asOwner);
    await platform.teams.deleteTeam({ teamid: teams[1]!.id }, asOwner);
    const made = await platform.admin.createToken(
      { user: name, organization: '', expiresInSeconds: 0, name: 'another' }, operator(),
    );
    await platform.admin.revokeToken({ id: made.id }, operator());
    const done = [
      'token.revoke', 'token.create', 'team.delete', 'team.add_member', 'team.remove_member', 'team.add_member',
      'token.create', 'user.create',
    ];
    expect(await actionsOf({ account: 'subject' })).toEqual(done);
    await platform.admin.deleteUser({ username: name, leaveOrganizations: false }, operator());
    expect(await actionsOf({ account: 'SUBJECT' })).toEqual(['user.delete', ...done]);
    expect((await list({ account: 'subject', action: 'user.delete' })).entries).toMatchObject([{ object: `user:${id}` }]);
  });

  it('shows nothing older than asked for', async () => {
    const [newest] = (await list({})).entries;
    const later = new Date(Date.parse(newest!.at) + 60_000).toISOString();
    expect(await actionsOf({ since: later })).toEqual([]);
    expect(await actionsOf({ since: '2020-01-01T00:00:00+01:00' })).toEqual(await actionsOf({}));
  });

  it.each([
    'yesterday', '2026-11-21', '2026-11-21T08:00:00', '2026-13-41T08:00:00Z',
  ])('refuses since %s', async (since) => {
    expect(await pathsOf(list({ since }))).toEqual(['since']);
  });
});

it.each(['account', 'action', 'actor', 'organization'])('ListAudit refuses NUL in %s', async (field) => {
  expect(await reasonOf(list({ [field]: 'a\0b' }))).toBe('MALFORMED_BODY');
});

describe('ListSiteAudit', () => {
  it('shows the name of a key, even of digits only, and the ids of other objects', async () => {
    const admin = await platform.user({ admin: true });
    const key = '1234567890123456';
    await platform.database.execute(sql`
      insert into audit (at, actor, action, object, request_id)
      values (now(), 'operator', 'keys.rotate', ${`key:${key}`}, 'spec')`);
    const audit = await rpcClient(AuditServiceService, platform.service);
    const objectOf = async (object: string) =>
      (await audit.listSiteAudit({ object }, as(admin.token))).records[0]!.object;
    expect(await objectOf(`key:${key}`)).toEqual({ type: 'key', id: 0, name: key });
    expect(await objectOf(`organization:${organizationId}`)).toEqual({
      type: 'organization', id: organizationId, name: 'Ledger',
    });
  });
});

describe('how long the audit is kept', () => {
  const old = 2_500;
  const count = async () => (await platform.database.one(sql<{ count: number }>`
    select count(*) from audit where action = 'spec.old'`)).count;
  const addOld = () => platform.database.execute(sql`
    insert into audit (at, actor, action, object, request_id)
    select now() - interval '31 days', 'platform', 'spec.old', 'user:1', 'spec' from generate_series(1, ${old}::int)`);

  it('ends for what is older, in batches, by several at once, and for nothing else', async () => {
    const others = (await list({ pageSize: 1_000 })).entries.length;
    await addOld();
    const soon = deadlineIn(20_000);
    const day = 86_400_000;
    expect(await deleteOldAudit(platform.database, 32 * day, soon)).toBe(0);
    const forgotten = await Promise.all([1, 2, 3].map(() => deleteOldAudit(platform.database, 30 * day, soon)));
    expect(forgotten.reduce((sum, some) => sum + some, 0)).toBe(old);
    expect((await list({ pageSize: 1_000 })).entries).toHaveLength(others);
  });

  it('ends by itself, after the time that is set', async () => {
    await platform.service.stop();
    await addOld();
    await platform.database.execute(sql`update _private_jobs set run_at = now() where key = 'schedule:audit-retention'`);
    await using _another = await platform.startAnother({ 'audit.keep': '30d' });
    await until(async () => (await count()) === 0, { what: 'the old entries are gone', within: 15_000 });
  });
});
