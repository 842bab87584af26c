import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { as } from '@platform/testing';
import { reasonOf, startPlatform, type TestPlatform, type TestUser } from '../fixtures/platform.ts';

let platform: TestPlatform;
let owner: TestUser;
let member: TestUser;
let stranger: TestUser;
let callers: Record<string, string | undefined>;

beforeAll(async () => {
  platform = await startPlatform();
  [owner, member, stranger] = await Promise.all([platform.user(), platform.user(), platform.user()]);
  for (const visibility of ['public', 'limited', 'private']) {
    const username = visibility === 'public' ? 'open' : visibility;
    const { id } = await platform.organization(owner, { username, visibility });
    await platform.database.execute(sql`
      insert into team_member (team_id, user_id, organization_id)
      select id, ${member.id}, organization_id from team where organization_id = ${id} and name = 'Viewers'`);
  }
  await platform.organization(stranger, { username: 'elsewhere' });
  callers = {
    nobody: undefined,
    stranger: stranger.token,
    member: member.token,
    owner: owner.token,
    'own system admin': await platform.tokenOf({ organization: 'private' }),
    'other system admin': await platform.tokenOf({ organization: 'elsewhere' }),
    'site admin': platform.adminToken,
  };
}, 60_000);
afterAll(() => platform[Symbol.asyncDispose]());

describe('who may see an organization (open-points 3.1)', () => {
  const [yes, no] = ['OK', 'NOT_FOUND'] as const;
  it.each([
    ['nobody', yes, no, no],
    ['stranger', yes, yes, no],
    ['member', yes, yes, yes],
    ['owner', yes, yes, yes],
    ['own system admin', yes, yes, yes],
    ['other system admin', yes, yes, no],
    ['site admin', yes, yes, yes],
  ] as const)('%s: public %s, limited %s, private %s', async (caller, ...expected) => {
    const get = (orgname: string) => reasonOf(platform.organizations.getOrganization({ orgname }, as(callers[caller])));
    expect([await get('open'), await get('limited'), await get('private')]).toEqual(expected);
  });

  it('a private one and a missing one are answered alike', async () => {
    const refusal = async (orgname: string) => {
      const get = platform.organizations.getOrganization({ orgname }, as(stranger.token));
      const error = await get.catch((thrown: unknown) => thrown);
      const { reason, message, metadata, violations } = error as Record<string, unknown>;
      return { reason, message, metadata, violations };
    };
    expect(await refusal('private')).toEqual(await refusal('no-such-organization'));
  });

  it.each([
    'org-1-system', 'no such', 'a/b', 'x'.repeat(300), '\u212Aelvin', 'open\u0000',
  ])('%j is no organization', async (orgname) => {
    expect(
      await reasonOf(platform.organizations.getOrganization({ orgname }, as(platform.adminToken))),
    ).toBe('NOT_FOUND');
  });

  it('an empty name is refused under the name of its field', async () => {
    const get = platform.organizations.getOrganization({ orgname: '' }, as(undefined));
    await expect(get).rejects.toMatchObject({ reason: 'MISSING_ORG', violations: [{ path: 'orgname' }] });
  });

  it('a user is no organization', async () => {
    expect(
      await reasonOf(platform.organizations.getOrganization({ orgname: owner.name }, as(owner.token))),
    ).toBe('NOT_FOUND');
  });

  it('a bad token is refused, never taken for none', async () => {
    expect(
      await reasonOf(platform.organizations.getOrganization({ orgname: 'open' }, as('f'.repeat(40)))),
    ).toBe('UNAUTHENTICATED');
  });

  it('finds it by its slug in any case', async () => {
    const { username } = await platform.organizations.getOrganization({ orgname: 'OPEN' }, as(undefined));
    expect(username).toBe('open');
  });
});

describe('is-owner (open-points 3.3)', () => {
  it.each([
    ['nobody', 'UNAUTHENTICATED'],
    ['stranger', 'NOT_ORG_MEMBER'],
    ['member', 'FORBIDDEN'],
    ['owner', 'OK'],
    ['other system admin', 'NOT_ORG_MEMBER'],
    ['site admin', 'OK'],
  ])('%s is answered %s', async (caller, reason) => {
    expect(await reasonOf(platform.organizations.checkOwner({ orgname: 'open' }, as(callers[caller])))).toBe(reason);
  });

  it('the system admin of the organization is no owner', async () => {
    const check = platform.organizations.checkOwner({ orgname: 'private' }, as(callers['own system admin']));
    expect(await reasonOf(check)).toBe('FORBIDDEN');
  });

  it('a stranger to a private organization does not learn of it', async () => {
    expect(
      await reasonOf(platform.organizations.checkOwner({ orgname: 'private' }, as(stranger.token))),
    ).toBe('NOT_FOUND');
  });

  it('takes effect with the commit: joined, left, joined again', async () => {
    const { id } = await platform.organization(owner, { username: 'coming-and-going' });
    const check = () =>
      reasonOf(platform.organizations.checkOwner({ orgname: 'coming-and-going' }, as(stranger.token)));
    for (let round = 0; round < 5; round += 1) {
      expect(await check()).toBe('NOT_ORG_MEMBER');
      await platform.database.execute(sql`
        insert into team_member (team_id, user_id, organization_id)
        select id, ${stranger.id}, organization_id from team where organization_id = ${id} and is_owners`);
      expect(await check()).toBe('OK');
      await platform.database.execute(sql`
        delete from team_member where organization_id = ${id} and user_id = ${stranger.id}`);
    }
  });
});

describe('the version (open-points 14)', () => {
  it('is a calendar version, for everybody', async () => {
    const { version } = await platform.version.getVersion({}, as(undefined));
    expect(version).toMatch(/^v20\d\d\.\d{1,2}\.\d+$/);
    expect(await platform.version.getVersion({}, as('not a token at all'))).toEqual({ version });
  });
});
