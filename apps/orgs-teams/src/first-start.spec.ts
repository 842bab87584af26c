import { describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { as } from '@platform/testing';
import { operator, reasonOf, startPlatform } from './fixtures/platform.ts';

describe('the first start (open-points 1.10)', () => {
  it('makes the administrative organization and one site admin, also when several start at once', async () => {
    await using platform = await startPlatform({ replicas: 3 });
    const admins = await platform.database.query(sql`select name from account where is_admin`);
    expect(admins).toEqual([{ name: 'platform-admin' }]);
    const { organization } = await platform.database.one(sql<{ organization: number }>`
      select count(*) as "organization" from organization where org_type = 6`);
    expect(organization).toBe(1);

    const { caller } = await platform.identity.getStanding(
      { token: platform.adminToken, slugs: [], organizationIds: [] }, operator(),
    );
    expect(caller).toMatchObject({ login: 'platform-admin', isAdmin: true });
    expect(await platform.organizations.getOrganization({ orgname: 'administration' }, as(platform.adminToken)))
      .toMatchObject({ orgType: 6, visibility: 'private' });

    await platform.service.replicas[0].restart();
    const accounts = await platform.database.query(sql`select from account`);
    expect(accounts).toHaveLength(3);
    expect(await platform.database.query(sql`select from access_token`)).toHaveLength(1);
    expect(
      await reasonOf(platform.organizations.checkOwner({ orgname: 'administration' }, as(platform.adminToken))),
    ).toBe('OK');
    expect(await platform.drift()).toMatchObject({ differences: [] });
  }, 90_000);
});
