import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { OrganizationServiceService } from '@platform/proto/orgs/v1/organization';
import { TeamServiceService } from '@platform/proto/orgs/v1/team';
import { as, rpcClient } from '@platform/testing';
import { operator, pathsOf, reasonOf, startPlatform, type TestPlatform } from '../fixtures/platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform();
}, 60_000);
afterAll(() => platform[Symbol.asyncDispose]());

describe('what is answered and stored', () => {
  it('answers the organization as spec §2.2 shows it, the name in the case given', async () => {
    const owner = await platform.user();
    const organization = await platform.organization(owner, {
      username: 'Acme', fullName: 'Acme Corporation', description: 'Anvils', website: 'https://acme.example', location: 'Desert',
    });
    expect(organization).toEqual({
      id: expect.any(Number), username: 'Acme', fullName: 'Acme Corporation', description: 'Anvils',
      website: 'https://acme.example', location: 'Desert', managerManagementClusterEndPoint: '', visibility: 'public',
      orgType: 0, avatarUrl: expect.stringMatching(/^https:\/\/platform\.example\/avatars\/[0-9a-f]{32}$/),
    });
    expect(await platform.organizations.getOrganization({ orgname: 'aCME' }, as(undefined))).toEqual(organization);
  });

  it('makes the three teams, the creator as the only and private owner, and the hidden system admin', async () => {
    const owner = await platform.user();
    const { id } = await platform.organization(owner, { username: 'teams-of-mine' });
    const teams = await platform.database.query(sql`
      select name, permission, is_owners as "isOwners", type,
             array(select user_id from team_member where team_id = team.id) as "members"
        from team where organization_id = ${id} order by id`);
    expect(teams).toEqual([
      { name: 'Owners', permission: 'owner', isOwners: true, type: 'kubernetes', members: [owner.id] },
      { name: 'Editors', permission: 'write', isOwners: false, type: 'kubernetes', members: [] },
      { name: 'Viewers', permission: 'read', isOwners: false, type: 'kubernetes', members: [] },
    ]);
    expect(await platform.database.query(sql`select from public_membership where organization_id = ${id}`)).toEqual([]);
    expect(await platform.database.query(sql`select name, kind from account where system_admin_of = ${id}`)).toEqual([
      { name: `org-${id}-system`, kind: 'system_admin' },
    ]);
  });

  it('notes the change with who did it and from which request', async () => {
    const owner = await platform.user();
    const call = as(owner.token);
    const { id } = await platform.organizations.createOrganization({ username: 'audited' }, call);
    const { entries } = await platform.admin.listAudit(
      { account: 'audited', action: 'organization.create', pageSize: 0, pageToken: '' }, operator(),
    );
    expect(entries).toEqual([expect.objectContaining({
      actorId: owner.id, actor: owner.name, object: `organization:${id}`, organizationId: id, requestId: call.requestId,
    })]);
  });

  it('is in the engine when it is answered', async () => {
    const owner = await platform.user();
    const { id } = await platform.organization(owner, { username: 'projected' });
    expect(await reasonOf(platform.organizations.checkOwner({ orgname: 'projected' }, as(owner.token)))).toBe('OK');
    const { differenceCount } = await platform.drift(id);
    expect(differenceCount).toBe(0);
  });
});

describe('visibility and kind (open-points 3.1)', () => {
  it.each([
    [{}, 'public', 0],
    [{ visibility: '' }, 'public', 0],
    [{ visibility: 'private' }, 'private', 0],
    [{ orgType: 'limited' }, 'limited', 0],
    [{ orgType: 'limited', visibility: '' }, 'limited', 0],
    [{ orgType: 'limited', visibility: 'private' }, 'private', 0],
    [{ managerManagementClusterEndPoint: 'https://hub.example' }, 'public', 1],
    [{ managerManagementClusterEndPoint: 'http://hub.example' }, 'public', 1],
    [{ managerManagementClusterEndPoint: '' }, 'public', 0],
  ])('%j makes it %s of kind %d', async (given, visibility, orgType) => {
    const owner = await platform.user();
    const organization = await platform.organization(owner, { username: `kind-${owner.name}`, ...given });
    expect(organization).toMatchObject({ visibility, orgType });
  });
});

describe('refusals', () => {
  it.each([
    [{}, ['username']],
    [{ username: '' }, ['username']],
    [{ username: 'a..b' }, ['username']],
    [{ username: 'Admin' }, ['username']],
    [{ username: 'org-1-system' }, ['username']],
    [{ username: 'x'.repeat(41) }, ['username']],
    [{ username: 'a', visibility: 'secret' }, ['visibility']],
    [{ username: 'a', orgType: 'client' }, ['orgType']],
    [{ username: 'a', website: 'example.org' }, ['website']],
    [{ username: 'a', managerManagementClusterEndPoint: 'ftp://x' }, ['managerManagementClusterEndPoint']],
    [{ username: 'a', fullName: 'x'.repeat(101) }, ['full_name']],
    [{ username: 'a', description: 'x'.repeat(256) }, ['description']],
    [{ username: 'a', location: 'x'.repeat(51) }, ['location']],
    [{ username: '-', visibility: '?', website: '?' }, ['username', 'website', 'visibility']],
  ])('%j is refused for %j', async (request, paths) => {
    const owner = await platform.user();
    expect(await pathsOf(platform.organization(owner, request))).toEqual(paths);
    expect(await reasonOf(platform.organization(owner, request))).toBe('VALIDATION_FAILED');
  });

  it('refuses a name that an organization, a user or nobody but the case has', async () => {
    const owner = await platform.user({ username: 'Some.Body' });
    await platform.organization(owner, { username: 'taken' });
    for (const username of ['taken', 'TAKEN', 'some.body', 'administration', 'Platform-Admin']) {
      expect(await reasonOf(platform.organization(owner, { username }))).toBe('ALREADY_EXISTS');
    }
  });

  it.each([
    ['may not create organizations', { noCreateOrganization: true }, 'ORG_CREATION_DENIED'],
    ['may not, but is site admin', { noCreateOrganization: true, admin: true }, 'OK'],
    ['is inactive', { inactive: true }, 'UNAUTHENTICATED'],
    ['is prohibited', { prohibitLogin: true }, 'ACCOUNT_DISABLED'],
  ] as const)('a caller who %s gets %j', async (_what, flags, reason) => {
    const owner = await platform.user(flags);
    expect(await reasonOf(platform.organization(owner, { username: `by-${owner.name}` }))).toBe(reason);
  });

  it('refuses callers who may not create before the body is read', async () => {
    const barred = await platform.user({ noCreateOrganization: true });
    expect(await reasonOf(platform.organizations.createOrganization({}, as(barred.token)))).toBe('ORG_CREATION_DENIED');
    const owner = await platform.user();
    expect(await reasonOf(platform.organizations.createOrganization({}, as(owner.token)))).toBe('VALIDATION_FAILED');
  });

  it('refuses the token of an organization, and a user of a client organization', async () => {
    const owner = await platform.user();
    const { id } = await platform.organization(owner, { username: 'became-client' });
    const token = await platform.tokenOf({ organization: 'became-client' });
    const create = (bearer: string) => platform.organizations.createOrganization({ username: 'of-client' }, as(bearer));
    expect(await reasonOf(create(token))).toBe('ORG_CREATION_DENIED');
    await platform.database.execute(sql`update organization set org_type = 2 where id = ${id}`);
    expect(await reasonOf(create(owner.token))).toBe('ORG_CREATION_DENIED');
  });

  it('refuses callers without a token that opens something', async () => {
    const create = (token: string | undefined) =>
      platform.organizations.createOrganization({ username: 'nobodys' }, as(token));
    expect(await reasonOf(create(undefined))).toBe('UNAUTHENTICATED');
    expect(await reasonOf(create('0'.repeat(40)))).toBe('UNAUTHENTICATED');
  });
});

/**
 * Repeats a creation that fails with CONFLICT, and returns the final reason. Creations by one owner wait for each other
 * for at most 2 s, and then fail with CONFLICT (authorization.md W1).
 */
async function decided(create: () => Promise<unknown>): Promise<string> {
  for (;;) {
    const reason = await reasonOf(create());
    if (reason !== 'CONFLICT') return reason;
  }
}

describe('many at once', () => {
  it.each([
    ['one caller', 1], ['twenty callers', 20],
  ])('of 20 parallel creations of one name by %s one succeeds', async (_who, count) => {
    const owners = await Promise.all(Array.from({ length: count }, () => platform.user()));
    const name = `race-${count}`;
    const reasons = await Promise.all(Array.from({ length: 20 }, (_, index) =>
      decided(() => platform.organization(owners[index % count]!, {
        username: index % 2 === 0 ? name : name.toUpperCase(),
      }))));
    expect(reasons.sort()).toEqual([...Array.from({ length: 19 }, () => 'ALREADY_EXISTS'), 'OK']);
    const { count: rows } = await platform.database.one(sql<{ count: number }>`
      select count(*) as "count" from account where lower(name) = ${name}`);
    expect(rows).toBe(1);
  });
});

describe('switched off', () => {
  it('only site admins create organizations when orgs.allowCreate is off', async () => {
    const closed = await rpcClient(
      OrganizationServiceService, await platform.startAnother({ 'orgs.allowCreate': 'false' }),
    );
    const owner = await platform.user();
    expect(
      await reasonOf(closed.createOrganization({ username: 'closed' }, as(owner.token))),
    ).toBe('ORG_CREATION_DENIED');
    expect(await reasonOf(closed.createOrganization({ username: 'open' }, as(platform.adminToken)))).toBe('OK');
  }, 60_000);
});

describe('how many there may be (open-points 15)', () => {
  it('organizations of an owner, also when they are created at once; site admins are unlimited', async () => {
    const service = await platform.startAnother({ 'orgs.perOwner': '3' });
    const limited = await rpcClient(OrganizationServiceService, service);
    const owner = await platform.user();
    const create = (token: string, name: string) =>
      decided(() => limited.createOrganization({ username: name }, as(token, 30_000)));
    const reasons = await Promise.all([1, 2, 3, 4, 5].map((number) => create(owner.token, `limited-${number}`)));
    expect(reasons.filter((reason) => reason !== 'OK')).toEqual(['TOO_MANY_ORGANIZATIONS', 'TOO_MANY_ORGANIZATIONS']);
    for (const number of [1, 2, 3, 4]) expect(await create(platform.adminToken, `unlimited-${number}`)).toBe('OK');
  }, 60_000);

  it('teams of an organization', async () => {
    const service = await platform.startAnother({ 'orgs.teamsPerOrganization': '5' });
    const limited = await rpcClient(TeamServiceService, service);
    const owner = await platform.user();
    await platform.organization(owner, { username: 'many-teams' });
    const create = (name: string) =>
      reasonOf(limited.createTeam({ orgname: 'many-teams', name, type: 'kubernetes' }, as(owner.token)));
    expect([await create('Fourth'), await create('Fifth'), await create('Sixth')]).toEqual(['OK', 'OK', 'TOO_MANY_ITEMS']);
  }, 60_000);
});
