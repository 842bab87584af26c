import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql, type Transaction } from '@platform/postgres';
import type { Pair } from '@platform/relations';
import { as, until } from '@platform/testing';
import { operator, reasonOf, startPlatform, type TestPlatform } from '../fixtures/platform.ts';
import { memberOf, roleOf, teamOf, testOrganization, type TestOrganization } from '../fixtures/structure.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform({ replicas: 2 });
}, 120_000);
afterAll(() => platform[Symbol.asyncDispose]());

const type = 'kubernetes';
const viewTeams: Pair = { namespace: 'team_mgmt', action: 'view teams' };
const editTeams: Pair = { namespace: 'team_mgmt', action: 'edit teams' };
const editRoles: Pair = { namespace: 'role_mgmt', action: 'edit roles' };
const list = <Item>(...items: Item[]) => ({ items });
const times = <Value>(count: number, make: (index: number) => Value) => Array.from({ length: count }, (_, index) => make(index));

/** Deadline of a call, in milliseconds. On a busy machine, the last of many concurrent calls waits long. */
const patience = 25_000;

/** Number of answers by reason. */
async function tally(calls: readonly Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const reason of await Promise.all(calls.map(reasonOf))) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

describe('50 at once for one name: one winner, never a 5xx', () => {
  const spelled = (index: number) => (index % 2 === 0 ? 'The One' : 'THE ONE');

  it('creating roles and teams', async () => {
    const organization = await testOrganization(platform);
    const { name: org, owner } = organization;
    const roles = await tally(times(50, (index) => platform.roles.createRole(
      { org, role: { name: spelled(index), permissions: list() } }, as(owner.token, patience),
    )));
    expect(roles).toEqual({ OK: 1, ALREADY_EXISTS: 49 });
    const teams = await tally(times(50, (index) => platform.teams.createTeam(
      { orgname: org, name: spelled(index), type }, as(owner.token, patience),
    )));
    expect(teams).toEqual({ OK: 1, ALREADY_EXISTS: 49 });
  }, 90_000);

  it('renaming roles and teams', async () => {
    const organization = await testOrganization(platform);
    const { name: org, owner } = organization;
    const made = async (kind: 'role' | 'team') => (await platform.database.query(kind === 'role'
      ? sql<{ id: number }>`
          insert into role (organization_id, name)
          select ${organization.id}, 'role ' || n from generate_series(1, 50) n returning id`
      : sql<{ id: number }>`
          insert into team (organization_id, name, permission)
          select ${organization.id}, 'team ' || n, 'none' from generate_series(1, 50) n returning id`)).map(({ id }) => id);
    const roles = await tally((await made('role')).map((id, index) => platform.roles.updateRole(
      { org, id, role: { name: spelled(index) } }, as(owner.token, patience),
    )));
    expect(roles).toEqual({ OK: 1, ALREADY_EXISTS: 49 });
    const teams = await tally((await made('team')).map((teamid, index) => platform.teams.updateTeam(
      { teamid, name: spelled(index) }, as(owner.token, patience),
    )));
    expect(teams).toEqual({ OK: 1, ALREADY_EXISTS: 49 });
  }, 90_000);
});

describe('64 administrators change 64 teams of one organization at once', () => {
  async function teamsOf(
    organization: TestOrganization, count: number, permission: string, name: string,
  ): Promise<number[]> {
    const rows = await platform.database.query(sql<{ id: number }>`
      insert into team (organization_id, name, permission)
      select ${organization.id}, ${name} || ' ' || n, ${permission} from generate_series(1, ${count}::integer) n returning id`);
    await platform.settled(organization.id);
    return rows.map(({ id }) => id);
  }

  it('their right, roles and name: each is done, none is refused', async () => {
    const organization = await testOrganization(platform);
    const [admins] = await teamsOf(organization, 1, 'admin', 'admins');
    const teams = await teamsOf(organization, 64, 'none', 'team');
    const role = await roleOf(platform, organization, [viewTeams]);
    const callers = await Promise.all(times(64, () => memberOf(platform, admins!)));
    expect(await tally(callers.map(({ token }, index) => platform.teams.updateTeam(
      { teamid: teams[index]!, name: `changed ${index}`, permission: 'write', assignedRoleIds: list(role) }, as(token, patience),
    )))).toEqual({ OK: 64 });
    expect(await platform.database.one(sql`
      select count(*) as "count" from team join team_role on team_role.team_id = team.id
       where team.organization_id = ${organization.id} and permission = 'write' and name like 'changed %'`,
    )).toEqual({ count: 64 });
  }, 120_000);
});

/** Locks the organization's row until a call waits for it, then makes changes as another user, and commits. */
async function whileWaiting(
  organization: TestOrganization,
  call: () => Promise<unknown>,
  change: (transaction: Transaction) => Promise<unknown>,
): Promise<string> {
  let answer: Promise<string> | undefined;
  await platform.database.transact(async (transaction) => {
    await transaction.query(sql`select from account where id = ${organization.id} for no key update`);
    answer = reasonOf(call());
    await until(
      async () => (await platform.database.query(sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'orgs-teams'`)).length > 0,
      { what: 'the call waits for the organization' },
    );
    await change(transaction);
  });
  return answer!;
}

describe('a request under way', () => {
  it('of an administrator whose decision is overturned, but who still may, is done', async () => {
    const organization = await testOrganization(platform);
    const { id: admins } = await platform.teams.createTeam(
      { orgname: organization.name, name: 'admins', type, permission: 'admin' }, as(organization.owner.token),
    );
    const admin = await memberOf(platform, admins);
    const role = await roleOf(platform, organization, [viewTeams]);
    const change = () => platform.teams.updateTeam(
      { teamid: organization.viewers, name: 'Viewers', assignedRoleIds: list(role) }, as(admin.token),
    );
    expect(await whileWaiting(organization, change, (transaction) => transaction.execute(sql`
      insert into team_role (role_id, team_id, organization_id) values (${role}, ${admins}, ${organization.id})`),
    )).toBe('OK');
    await platform.settled(organization.id);
    const { differenceCount } = await platform.drift(organization.id);
    expect(differenceCount).toBe(0);
  });

  it('of an administrator who is removed meanwhile is refused', async () => {
    const organization = await testOrganization(platform);
    const { id: admins } = await platform.teams.createTeam(
      { orgname: organization.name, name: 'admins', type, permission: 'admin' }, as(organization.owner.token),
    );
    const role = await roleOf(platform, organization, []);
    const calls = (token: string) => [
      () => platform.teams.createTeam({ orgname: organization.name, name: 'backdoor', type, permission: 'admin' }, as(token)),
      () => platform.teams.updateTeam({ teamid: organization.viewers, name: 'Viewers', permission: 'admin' }, as(token)),
      () => platform.teams.deleteTeam({ teamid: organization.editors }, as(token)),
      () => platform.roles.createRole({ org: organization.name, role: { name: 'x', permissions: list(viewTeams) } }, as(token)),
      () => platform.roles.updateRole({ org: organization.name, id: role, role: { permissions: list(viewTeams) } }, as(token)),
      () => platform.roles.deleteRole({ org: organization.name, id: role }, as(token)),
    ];
    const reasons: string[] = [];
    for (let index = 0; index < calls('').length; index += 1) {
      // The admin is also a viewer. So the refusal is due to the lost right, not to a lost membership.
      const admin = await memberOf(platform, admins, organization.viewers);
      reasons.push(await whileWaiting(organization, calls(admin.token)[index]!, (transaction) =>
        transaction.execute(sql`delete from team_member where team_id = ${admins} and user_id = ${admin.id}`)));
    }
    expect(reasons).toEqual(times(6, () => 'FORBIDDEN'));
    const { teams } = await platform.teams.listTeams({ orgname: organization.name }, as(organization.owner.token));
    expect(teams.map(({ name, permission }) => `${name} ${permission}`)).toEqual([
      'Owners owner', 'Editors write', 'Viewers read', 'admins admin',
    ]);
  }, 60_000);

  it('of a caller whose role lost the pair that the call gives is refused as escalation', async () => {
    const organization = await testOrganization(platform);
    const own = await roleOf(platform, organization, [editRoles, viewTeams]);
    const caller = await memberOf(platform, await teamOf(platform, organization, own));
    const other = await roleOf(platform, organization, []);
    const give = () => platform.roles.updateRole(
      { org: organization.name, id: other, role: { permissions: list(viewTeams) } }, as(caller.token),
    );
    expect(await whileWaiting(organization, give, (transaction) => transaction.execute(sql`
      delete from role_permission where role_id = ${own} and action = ${viewTeams.action}`))).toBe('PRIVILEGE_ESCALATION');
    expect(await reasonOf(give())).toBe('PRIVILEGE_ESCALATION');
  });

  it('is measured by what a role holds when it is given, not when it was asked for', async () => {
    const organization = await testOrganization(platform);
    const own = await roleOf(platform, organization, [editRoles, editTeams, viewTeams]);
    const team = await teamOf(platform, organization, own);
    const caller = await memberOf(platform, team);
    const grown = await roleOf(platform, organization, [viewTeams]);
    const grow = (transaction: Transaction) => transaction.execute(sql`
      insert into role_permission (role_id, organization_id, namespace, action)
      values (${grown}, ${organization.id}, 'team_mgmt', 'delete teams') on conflict do nothing`);
    const byRole = () => platform.roles.updateRole(
      { org: organization.name, id: grown, role: { teamIds: list(team) } }, as(caller.token),
    );
    expect(await whileWaiting(organization, byRole, grow)).toBe('PRIVILEGE_ESCALATION');
    await platform.database.execute(sql`delete from role_permission where role_id = ${grown} and action = 'delete teams'`);
    const byTeam = () => platform.teams.updateTeam(
      { teamid: team, name: 'mine', assignedRoleIds: list(own, grown) }, as(caller.token),
    );
    expect(await whileWaiting(organization, byTeam, grow)).toBe('PRIVILEGE_ESCALATION');
    await platform.database.execute(sql`delete from role_permission where role_id = ${grown} and action = 'delete teams'`);
    expect(await reasonOf(byTeam())).toBe('OK');
  });

  it('about what went meanwhile answers NOT_FOUND', async () => {
    const organization = await testOrganization(platform);
    const { name: org, owner } = organization;
    const [role, team] = [await roleOf(platform, organization, []), await teamOf(platform, organization)];
    const goes = (transaction: Transaction) => transaction.execute(sql`delete from role where id = ${role}`);
    const change = () => platform.roles.updateRole({ org, id: role, role: { name: 'late' } }, as(owner.token));
    expect(await whileWaiting(organization, change, goes)).toBe('NOT_FOUND');
    const teamGoes = (transaction: Transaction) => transaction.execute(sql`delete from team where id = ${team}`);
    const remove = () => platform.teams.deleteTeam({ teamid: team }, as(owner.token));
    expect(await whileWaiting(organization, remove, teamGoes)).toBe('NOT_FOUND');
  });

  it('of a site admin in an organization that went meanwhile answers NOT_FOUND', async () => {
    const calls = [
      (org: string) => platform.teams.createTeam({ orgname: org, name: 'late', type }, as(platform.adminToken)),
      (org: string) => platform.roles.createRole({ org, role: { name: 'late', permissions: list() } }, as(platform.adminToken)),
    ];
    for (const call of calls) {
      const organization = await testOrganization(platform);
      expect(await whileWaiting(organization, () => call(organization.name), async (transaction) => {
        await transaction.execute(sql`delete from account where id = ${organization.id}`);
      })).toBe('NOT_FOUND');
    }
  });
});

describe('a team of 10,000', () => {
  it('is deleted without a lock on any member, and ends their memberships', async () => {
    const organization = await testOrganization(platform);
    const team = await teamOf(platform, organization);
    const [member] = await platform.database.query(sql<{ id: number }>`
      with people as (
        insert into account (kind, name, email)
        select 'person', 'crowd-' || ${team} || '-' || n, 'crowd@example.org' from generate_series(1, 10000) n
        returning id
      )
      insert into team_member (team_id, user_id, organization_id) select ${team}, id, ${organization.id} from people
      returning user_id as "id"`);
    // Another transaction locks one of the members during the deletion.
    await platform.database.transact(async (transaction) => {
      await transaction.query(sql`select from account where id = ${member!.id} for update`);
      const removed = platform.teams.deleteTeam({ teamid: team }, as(organization.owner.token));
      expect(await reasonOf(removed)).toBe('OK');
    });
    expect(await platform.database.query(sql`
      select user_id as "id" from team_member where organization_id = ${organization.id}`),
    ).toEqual([{ id: organization.owner.id }]);
    const { entries } = await platform.admin.listAudit(
      { account: organization.name, action: 'team.delete', pageSize: 0, pageToken: '' }, operator(),
    );
    expect((JSON.parse(entries[0]!.details) as { memberIds: number[] }).memberIds).toHaveLength(10_000);
  }, 60_000);
});
