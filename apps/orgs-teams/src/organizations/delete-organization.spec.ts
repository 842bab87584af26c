import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { OrganizationServiceService } from '@platform/proto/orgs/v1/organization';
import { as, http, rpcClient } from '@platform/testing';
import { operator, reasonOf, startPlatform, type TestPlatform, type TestUser } from '../fixtures/platform.ts';

let platform: TestPlatform;
let owner: TestUser;
beforeAll(async () => {
  platform = await startPlatform();
  owner = await platform.user();
}, 60_000);
afterAll(() => platform[Symbol.asyncDispose]());

describe('a service that does not answer', () => {
  it('keeps the organization as it was (authorization.md W5)', async () => {
    const { id } = await platform.organization(owner, { username: 'kept' });
    const nobody = '127.0.0.1:9';
    const replica = await platform.startAnother({ 'services.clusters': nobody });
    const organizations = await rpcClient(OrganizationServiceService, replica);
    expect(await reasonOf(organizations.deleteOrganization({ orgname: 'kept' }, as(owner.token)))).toBe('UNAVAILABLE');
    expect(await reasonOf(platform.organizations.checkOwner({ orgname: 'kept' }, as(owner.token)))).toBe('OK');
    const change = { orgname: 'kept', description: 'still here' };
    expect(await platform.organizations.updateOrganization(change, as(owner.token)))
      .toMatchObject({ id, description: 'still here' });
    await replica.stop();
  }, 60_000);
});

describe('what is deleted crosswise', () => {
  const crowd = 10_000;
  const organizations = 50;
  const rounds = 3;
  const travellers: TestUser[] = [];
  const slugs: string[] = [];
  let home: number;

  beforeAll(async () => {
    for (let index = 0; index < rounds * 2; index += 1) travellers.push(await platform.user());
    for (let index = 0; index < organizations; index += 1) {
      const { id, username } = await platform.organization(owner, { username: `town-${index}` });
      slugs.push(username);
      home ??= id;
    }
    await platform.database.execute(sql`
      insert into account (kind, name) select 'person', 'crowd-' || number from generate_series(1, ${crowd}) number`);
    await platform.database.execute(sql`
      insert into team_member (team_id, user_id, organization_id)
      select team.id, traveller, team.organization_id
        from team join account on account.id = team.organization_id and account.name like 'town-%'
        cross join unnest(${travellers.map(({ id }) => id)}::bigint[]) traveller
       where team.name = 'Viewers'`);
  }, 120_000);

  /** Number of repeated transactions; each deadlock causes one. */
  async function repeats(): Promise<number> {
    const metrics = await http(`http://${platform.service.addresses['admin']!}`).get('/metrics');
    const [, count] = /^postgres_repeats_total\S* (\d+)$/m.exec(metrics.text)!;
    return Number(count);
  }

  it('a team of 10,000, users in 50 organizations and the organizations themselves: 0 deadlocks', async () => {
    const before = await repeats();
    for (let round = 0; round < rounds; round += 1) {
      const team = await platform.database.one(sql<{ id: number }>`
        insert into team (organization_id, name, permission) values (${home}, ${`crowd ${round}`}, 'none') returning id`);
      const [one, other] = [travellers[round * 2]!, travellers[round * 2 + 1]!];
      await platform.database.execute(sql`
        insert into team_member (team_id, user_id, organization_id)
        select ${team.id}, id, ${home} from account where name like 'crowd-%' or id in (${one.id}, ${other.id})`);
      const [first, second] = [slugs[organizations - 1 - round * 2]!, slugs[organizations - 2 - round * 2]!];
      const within = as(owner.token, 30_000);
      const reasons = await Promise.all([
        reasonOf(platform.teams.deleteTeam({ teamid: team.id }, within)),
        reasonOf(platform.admin.deleteUser({ username: one.name, leaveOrganizations: false }, operator())),
        reasonOf(platform.admin.deleteUser({ username: other.name, leaveOrganizations: false }, operator())),
        reasonOf(platform.organizations.deleteOrganization({ orgname: first }, within)),
        reasonOf(platform.organizations.deleteOrganization({ orgname: second }, within)),
      ]);
      // A call that waits too long for a lock is refused and may be repeated, so it is not a deadlock.
      expect(reasons.filter((reason) => reason !== 'OK' && reason !== 'CONFLICT')).toEqual([]);
      expect(reasons).toContain('OK');
    }
    expect(await repeats()).toBe(before);
    const { strangers } = await platform.database.one(sql<{ strangers: number }>`
      select count(*) as "strangers" from team_member member
       where not exists (select from team where team.id = member.team_id)
          or not exists (select from account where account.id = member.user_id)`);
    expect(strangers).toBe(0);
  }, 120_000);
});
