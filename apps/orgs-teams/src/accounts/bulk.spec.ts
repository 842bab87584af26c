import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { BulkServiceService } from '@platform/proto/orgs/v1/bulk';
import type { RpcClient } from '@platform/rpc';
import { as, rpcClient } from '@platform/testing';
import { operator, pathsOf, reasonOf, startPlatform, type TestPlatform } from '../fixtures/platform.ts';
import { testOrganization } from '../fixtures/structure.ts';

let platform: TestPlatform;
let bulk: RpcClient<typeof BulkServiceService>;
beforeAll(async () => {
  platform = await startPlatform();
  const { service, others, serviceCredential } = platform;
  const addresses = [service, ...others].map((replica) => replica.addressList('grpc'));
  bulk = await rpcClient(BulkServiceService, addresses, { serviceCredential });
}, 60_000);
afterAll(() => platform[Symbol.asyncDispose]());

const person = (username: string) => ({ username, email: `${username}@example.org`, fullName: '' });
const people = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => person(`${prefix}-${index}`));
const put = async (prefix: string, count: number) =>
  (await bulk.putUsers({ users: people(prefix, count) }, operator())).ids;
const organization = (username: string, ownerId: number) => ({ username, fullName: '', description: '', ownerId });
const team = (name: string, permission = 'read') => ({ name, description: '', permission });

async function countAll(): Promise<unknown> {
  return platform.database.one(sql`
    select (select count(*) from account) as "accounts", (select count(*) from team) as "teams",
           (select count(*) from team_member) as "members", (select count(*) from audit) as "audit",
           (select last_value from account_id_seq) as "account", (select last_value from team_id_seq) as "team"`);
}

const differencesOf = async (organizationId: number) =>
  (await platform.drift(organizationId)).differences;

describe('PutUsers', () => {
  it('adds those that are missing, and answers all in the order given', async () => {
    const first = await bulk.putUsers({ users: people('pat', 3) }, operator());
    expect(first.added).toBe(3);
    const again = [person('pat-new'), person('PAT-1'), person('pat-0')];
    const second = await bulk.putUsers({ users: again }, operator());
    expect(second).toEqual({ added: 1, ids: [expect.any(Number), first.ids[1], first.ids[0]] });
    const { entries } = await platform.admin.listAudit(
      { account: 'pat-new', action: 'user.create', pageSize: 0, pageToken: '' }, operator(),
    );
    expect(entries).toMatchObject([{ actor: 'operator', object: `user:${second.ids[0]}` }]);
    const token = await platform.tokenOf({ user: 'pat-new' });
    expect(await platform.organization({ id: 0, name: '', token }, { username: 'of-pat-new' }))
      .toMatchObject({ username: 'of-pat-new' });
  });

  it('changes nothing when it is repeated, and uses up no ids', async () => {
    const request = { users: people('same', 1_000) };
    const first = await bulk.putUsers(request, operator());
    const before = await countAll();
    expect(await bulk.putUsers(request, operator())).toEqual({ ids: first.ids, added: 0 });
    expect(await countAll()).toEqual(before);
  });

  it('adds each once when two calls meet in opposite order', async () => {
    const users = people('meet', 300);
    const [one, other] = await Promise.all([
      bulk.putUsers({ users }, operator()), bulk.putUsers({ users: users.toReversed() }, operator()),
    ]);
    expect(other.ids.toReversed()).toEqual(one.ids);
    expect(one.added + other.added).toBe(300);
  });

  it('adds none when one name is an organization\'s', async () => {
    const { name } = await testOrganization(platform);
    const attempt = bulk.putUsers({ users: [person('not-added'), person(name)] }, operator());
    expect(await reasonOf(attempt)).toBe('ALREADY_EXISTS');
    expect(await reasonOf(platform.admin.deleteUser({ username: 'not-added', leaveOrganizations: false }, operator()))).toBe('NOT_FOUND');
  });

  it.each([
    ['a reserved name', [person('admin')], 'VALIDATION_FAILED', ['users[0].username']],
    ['a name of a hidden system admin', [person('org-1-system')], 'VALIDATION_FAILED', ['users[0].username']],
    ['a name given twice', [person('twice'), person('TWICE')], 'VALIDATION_FAILED', ['users[1].username']],
    ['no address', [{ ...person('a'), email: 'a' }], 'VALIDATION_FAILED', ['users[0].email']],
    ['a long full name', [{ ...person('a'), fullName: 'x'.repeat(101) }], 'VALIDATION_FAILED', ['users[0].fullName']],
    ['a full name of two lines', [{ ...person('a'), fullName: 'x\ny' }], 'VALIDATION_FAILED', ['users[0].fullName']],
    ['fields left out', [{ fullName: '' }], 'VALIDATION_FAILED', ['users[0].username', 'users[0].email']],
    ['too many', people('many', 1_001), 'TOO_MANY_ITEMS', ['users']],
  ])('refuses %s', async (_, users, reason, paths) => {
    const before = await countAll();
    expect(await reasonOf(bulk.putUsers({ users }, operator()))).toBe(reason);
    expect(await pathsOf(bulk.putUsers({ users }, operator()))).toEqual(paths);
    expect(await countAll()).toEqual(before);
  });

  it('answers nobody but services and the operator', async () => {
    const anybody = await rpcClient(BulkServiceService, [platform.service.addressList('grpc')]);
    for (const token of [undefined, platform.adminToken]) {
      expect(await reasonOf(anybody.putUsers({ users: [] }, as(token)))).toBe('UNAUTHENTICATED');
    }
  });
});

describe('PutOrganizations', () => {
  it('adds them complete: owner, first teams, hidden system admin, and what the engine needs', async () => {
    const [ada = 0, eve = 0] = await put('founder', 2);
    const organizations = [organization('whole-2', eve), organization('whole-1', ada)];
    const { ids, added } = await bulk.putOrganizations({ organizations }, operator());
    expect(added).toBe(2);
    for (const id of ids) await platform.settled(id);
    const owner = await platform.tokenOf({ user: 'founder-0' });
    const { teams } = await platform.teams.listTeams({ orgname: 'whole-1' }, as(owner));
    expect(teams.map(({ name, permission }) => [name, permission]))
      .toEqual([['Owners', 'owner'], ['Editors', 'write'], ['Viewers', 'read']]);
    expect(await reasonOf(platform.organizations.checkOwner({ orgname: 'whole-1' }, as(owner)))).toBe('OK');
    expect(await reasonOf(platform.organizations.checkOwner({ orgname: 'whole-2' }, as(owner)))).toBe('NOT_ORG_MEMBER');
    expect(await platform.tokenOf({ organization: 'whole-1' })).toMatch(/^[0-9a-f]{40}$/);
    expect(await differencesOf(ids[1]!)).toEqual([]);
  });

  it('changes nothing when it is repeated, also with another owner', async () => {
    const [ada = 0, eve = 0] = await put('again', 2);
    const first = await bulk.putOrganizations({ organizations: [organization('kept', ada)] }, operator());
    const before = await countAll();
    expect(await bulk.putOrganizations({ organizations: [organization('KEPT', eve)] }, operator()))
      .toEqual({ ids: first.ids, added: 0 });
    expect(await countAll()).toEqual(before);
  });

  it('adds each once when calls meet', async () => {
    const [ada = 0] = await put('crossing', 1);
    const organizations = Array.from({ length: 40 }, (_, index) => organization(`cross-${index}`, ada));
    const answers = await Promise.all([organizations, organizations.toReversed()].map((some) =>
      bulk.putOrganizations({ organizations: some }, operator())));
    expect(answers[1]!.ids.toReversed()).toEqual(answers[0]!.ids);
    expect(answers[0]!.added + answers[1]!.added).toBe(40);
  });

  it('refuses a full name of two lines', async () => {
    const [ada = 0] = await put('two-lines', 1);
    const organizations = [{ ...organization('two-lines-org', ada), fullName: 'x\ny' }];
    expect(await pathsOf(bulk.putOrganizations({ organizations }, operator()))).toEqual(['organizations[0].fullName']);
  });

  it('adds none when an owner is no user, or a name is a user\'s', async () => {
    const [ada = 0] = await put('alone', 1);
    const { id } = await testOrganization(platform);
    const attempt = (one: ReturnType<typeof organization>) =>
      reasonOf(bulk.putOrganizations({ organizations: [organization('no-such', ada), one] }, operator()));
    expect(await attempt(organization('other', id))).toBe('NOT_FOUND');
    expect(await attempt(organization('other', 999_999))).toBe('NOT_FOUND');
    expect(await attempt(organization('alone-0', ada))).toBe('ALREADY_EXISTS');
    const found = platform.organizations.getOrganization({ orgname: 'no-such' }, as(platform.adminToken));
    expect(await reasonOf(found)).toBe('NOT_FOUND');
  });
});

describe('PutTeams and PutMemberships', () => {
  it('adds what is missing and leaves the rest as it is', async () => {
    const acme = await testOrganization(platform);
    const users = await put('member', 4);
    const teams = [team('Viewers', 'admin'), team('builders', 'write'), team('watchers')];
    const first = await bulk.putTeams({ organizationId: acme.id, teams }, operator());
    expect(first).toEqual({ ids: [acme.viewers, expect.any(Number), expect.any(Number)], added: 2 });
    const memberships = users.flatMap((userId, index) => [
      { teamId: first.ids[index % 3]!, userId }, { teamId: acme.owners, userId: users[0]! },
    ]);
    expect(await bulk.putMemberships({ organizationId: acme.id, memberships }, operator())).toEqual({ added: 5 });
    await platform.settled(acme.id);
    const before = await countAll();
    expect(await bulk.putTeams({ organizationId: acme.id, teams }, operator())).toEqual({ ...first, added: 0 });
    expect(await bulk.putMemberships({ organizationId: acme.id, memberships }, operator())).toEqual({ added: 0 });
    expect(await countAll()).toEqual(before);
    const { teams: listed } = await platform.teams.listTeams({ orgname: acme.name }, as(acme.owner.token));
    expect(listed.map(({ name, permission }) => [name, permission])).toEqual([
      ['Owners', 'owner'], ['Editors', 'write'], ['Viewers', 'read'], ['builders', 'write'], ['watchers', 'read'],
    ]);
    const owner = await platform.tokenOf({ user: 'member-0' });
    expect(await reasonOf(platform.organizations.checkOwner({ orgname: acme.name }, as(owner)))).toBe('OK');
    expect(await differencesOf(acme.id)).toEqual([]);
  });

  it.each([
    ['Owners', team('Owners'), ['teams[0].name']],
    ['a name no team may have', team('a  b'), ['teams[0].name']],
    ['the right of owners', team('a', 'owner'), ['teams[0].permission']],
    ['no right', { name: 'a', description: '' }, ['teams[0].permission']],
  ])('refuses a team with %s', async (_, given, paths) => {
    const acme = await testOrganization(platform);
    const attempt = () => bulk.putTeams({ organizationId: acme.id, teams: [given] }, operator());
    expect(await reasonOf(attempt())).toBe('VALIDATION_FAILED');
    expect(await pathsOf(attempt())).toEqual(paths);
  });

  it('adds none for teams, users and organizations that are not there', async () => {
    const [acme, other] = [await testOrganization(platform), await testOrganization(platform)];
    const [ada = 0] = await put('nowhere', 1);
    const inactive = await platform.user({ username: 'resting', inactive: true });
    const attempt = (teamId: number, userId: number, organizationId = acme.id) => reasonOf(bulk.putMemberships(
      { organizationId, memberships: [{ teamId: acme.viewers, userId: ada }, { teamId, userId }] }, operator(),
    ));
    expect(await attempt(other.viewers, ada)).toBe('NOT_FOUND');
    expect(await attempt(999_999, ada)).toBe('NOT_FOUND');
    expect(await attempt(acme.viewers, 999_999)).toBe('NOT_FOUND');
    expect(await attempt(acme.viewers, acme.id)).toBe('NOT_FOUND');
    expect(await attempt(acme.viewers, inactive.id)).toBe('NOT_FOUND');
    expect(await attempt(acme.viewers, ada, 999_999)).toBe('NOT_FOUND');
    const teams = [team('a')];
    expect(await reasonOf(bulk.putTeams({ organizationId: 999_999, teams }, operator()))).toBe('NOT_FOUND');
    const { count } = await platform.database.one(sql<{ count: number }>`
      select count(*) as "count" from team_member where user_id = ${ada}`);
    expect(count).toBe(0);
  });

  it('makes nobody a site admin', async () => {
    const [ada = 0] = await put('climber', 1);
    const { id, teamId } = await platform.database.one(sql<{ id: number; teamId: number }>`
      select organization.id, team.id as "teamId" from organization
        join team on team.organization_id = organization.id and team.is_owners where org_type = 6`);
    const attempt = bulk.putMemberships({ organizationId: id, memberships: [{ teamId, userId: ada }] }, operator());
    expect(await reasonOf(attempt)).toBe('OWNERS_TEAM_IMMUTABLE');
  });
});
