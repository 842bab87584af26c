import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorizationServiceService } from '@platform/proto/authz/v1/authorization';
import { sql } from '@platform/postgres';
import { fenceTuple, organizationObject, roleObject, teamMembers } from '@platform/relations';
import { as, rpcClient, until } from '@platform/testing';
import { operator, reasonOf, startPlatform, type TestPlatform } from '../fixtures/platform.ts';
import { readTuples } from './engine.ts';
import { fenceFilter } from './relations.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startPlatform({ replicas: 2 });
}, 60_000);
afterAll(() => platform[Symbol.asyncDispose]());

/**
 * Waits until no unit of an organization is pending and no difference remains. A call settles the organization, unless
 * `by` is the loop, which takes some seconds.
 */
async function rests(organizationId: number, { by = 'call' }: { readonly by?: 'call' | 'loop' } = {}): Promise<void> {
  if (by === 'call') await reasonOf(platform.identity.settle({ organizationId }, operator()));
  await until(async () => {
    const { pending } = await platform.database.one(sql<{ pending: number }>`
      select count(*) as "pending" from projection_pending where organization_id = ${organizationId}`);
    return pending === 0;
  }, { what: 'nothing waits for the engine', within: 15_000 });
  expect((await platform.drift(organizationId)).differences).toEqual([]);
}

const tuplesOf = (organizationId: number) =>
  readTuples(platform.engine, [{ object: organizationObject(organizationId), relation: '', user: '' }], operator());
const fencesOf = (organizationId: number) => readTuples(platform.engine, [fenceFilter(organizationId)], operator());

/** An organization inserted with SQL, so no process has settled it. */
async function organizationByHand(): Promise<{ id: number; teamIds: number[]; roleId: number }> {
  return platform.database.transact(async (transaction) => {
    const { id } = await transaction.one(sql<{ id: number }>`
      insert into account (kind, name) values ('organization', 'hand-' || substr(gen_random_uuid()::text, 1, 8)) returning id`);
    await transaction.execute(sql`insert into organization (id) values (${id})`);
    await transaction.execute(sql`
      insert into account (kind, name, system_admin_of) values ('system_admin', ${`org-${id}-system`}, ${id})`);
    const teams = await transaction.query(sql<{ id: number }>`
      insert into team (organization_id, name, permission, is_owners)
      values (${id}, 'Owners', 'owner', true), (${id}, 'One', 'read', false), (${id}, 'Two', 'none', false)
      returning id`);
    const role = await transaction.one(sql<{ id: number }>`
      insert into role (organization_id, name) values (${id}, 'role') returning id`);
    await transaction.execute(sql`
      insert into role_permission (role_id, organization_id, namespace, action)
      values (${role.id}, ${id}, 'team_mgmt', 'view teams'), (${role.id}, ${id}, 'org_mgmt', 'edit')`);
    await transaction.execute(sql`
      insert into team_role (role_id, team_id, organization_id) values (${role.id}, ${teams[1]!.id}, ${id})`);
    return { id, teamIds: teams.map((team) => team.id), roleId: role.id };
  });
}

const revisionsOf = async (organizationId: number) => new Map((await platform.database.query(
  sql<{ id: number; revision: string }>`select id, revision from team where organization_id = ${organizationId}`,
)).map(({ id, revision }) => [id, revision]));

describe('a change by hand in SQL (authorization.md W3)', () => {
  it.each([
    ['the right of a team', (o: Hand) => sql`update team set permission = 'admin' where id = ${o.teamIds[1]}`, [1]],
    ['a team added', (o: Hand) => sql`insert into team (organization_id, name, permission) values (${o.id}, 'Three', 'write')`, []],
    ['a team removed', (o: Hand) => sql`delete from team where id = ${o.teamIds[2]}`, []],
    ['a pair added', (o: Hand) => sql`
      insert into role_permission (role_id, organization_id, namespace, action)
      values (${o.roleId}, ${o.id}, 'role_mgmt', 'view roles')`, [1]],
    ['a pair removed', (o: Hand) => sql`delete from role_permission where role_id = ${o.roleId} and namespace = 'org_mgmt'`, [1]],
    ['a role assigned', (o: Hand) => sql`
      insert into team_role (role_id, team_id, organization_id) values (${o.roleId}, ${o.teamIds[2]}, ${o.id})`, [2]],
    ['a role taken away', (o: Hand) => sql`delete from team_role where role_id = ${o.roleId}`, [1]],
    ['a role deleted', (o: Hand) => sql`delete from role where id = ${o.roleId}`, [1]],
    ['the system admin removed', (o: Hand) => sql`delete from account where system_admin_of = ${o.id}`, []],
    ['the name of a team', (o: Hand) => sql`update team set name = 'Other' where id = ${o.teamIds[1]}`, []],
  ] as const)('%s reaches the engine and renews the revisions concerned', async (what, change, concerned) => {
    const organization = await organizationByHand();
    await rests(organization.id);
    const before = await revisionsOf(organization.id);
    await platform.database.execute(change(organization));
    const after = await revisionsOf(organization.id);
    const renewed = organization.teamIds.filter((id) => after.has(id) && after.get(id) !== before.get(id));
    expect(renewed).toEqual(concerned.map((index) => organization.teamIds[index]));
    await rests(organization.id, { by: what === 'the right of a team' ? 'loop' : 'call' });
  });

  it('a deleted organization leaves nothing in the engine, not even its fence', async () => {
    const { id, roleId } = await organizationByHand();
    await rests(id);
    expect((await tuplesOf(id)).length).toBeGreaterThan(5);
    await platform.database.execute(sql`delete from account where id = ${id}`);
    await rests(id, { by: 'loop' });
    await until(async () => (await tuplesOf(id)).length === 0, { what: 'its tuples are gone' });
    const ofRole = await readTuples(platform.engine, [{ object: `role:${roleId}`, relation: '', user: '' }], operator());
    expect(ofRole).toEqual([]);
  });

  it('more than one Write can take is written in several', async () => {
    const { id } = await organizationByHand();
    await platform.database.execute(sql`
      insert into team (organization_id, name, permission) select ${id}, 'Team ' || n, 'read' from generate_series(1, 150) n`);
    await platform.database.execute(sql`insert into projection_pending (organization_id, unit) values (${id}, 'all')`);
    await rests(id);
    expect(await tuplesOf(id)).toHaveLength(153 + 2 + 2 + 1);
    await platform.database.execute(sql`delete from account where id = ${id}`);
    await until(async () => (await tuplesOf(id)).length === 0, { what: 'its tuples are gone', within: 15_000 });
  }, 60_000);
});
type Hand = Awaited<ReturnType<typeof organizationByHand>>;

describe('many settles at once', () => {
  it('20 of a new organization on two replicas are not refused, and leave one fence when the engine is asked', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id } = await organizationByHand();
      const reasons = await Promise.all(Array.from({ length: 20 }, () =>
        reasonOf(platform.patiently(() => platform.identity.settle({ organizationId: id }, operator())))));
      expect(new Set(reasons)).toEqual(new Set(['OK']));
      await rests(id);
      // A second fence may exist beside the noted fence. A settle of the unit `all` removes it (ADR 0071).
      await platform.database.execute(sql`insert into projection_pending (organization_id, unit) values (${id}, 'all')`);
      await rests(id);
      expect(await fencesOf(id)).toHaveLength(1);
    }
  }, 60_000);

  it.each([
    ['the note of the one is gone', sql`delete from noted_fence`],
    ['everything is written again', sql`
      insert into projection_pending (organization_id, unit) select id, 'all' from organization`],
  ])('two fences made at once become one when %s', async (_, statement) => {
    const { id } = await organizationByHand();
    await rests(id);
    const extra = fenceTuple(id, '00000000-0000-4000-8000-000000000000');
    await platform.engine.writeTuples({ deletes: [], writes: [extra] }, operator());
    await platform.database.execute(statement);
    await platform.database.execute(sql`update team set permission = 'write' where organization_id = ${id} and name = 'One'`);
    await rests(id);
    const fences = await fencesOf(id);
    expect(fences).toHaveLength(1);
    expect(fences[0]).not.toEqual(extra);
  });

  it('while changes go on, everything is written in the end', async () => {
    const { id, teamIds } = await organizationByHand();
    await Promise.all(Array.from({ length: 4 }, async (_, worker) => {
      for (let round = 0; round < 10; round += 1) {
        const permission = ['read', 'write', 'admin', 'none'][(round + worker) % 4]!;
        await platform.database.execute(sql`update team set permission = ${permission} where id = ${teamIds[1 + (worker % 2)]}`);
        await reasonOf(platform.identity.settle({ organizationId: id }, operator()));
      }
    }));
    await rests(id);
  }, 60_000);
});

describe('a unit that cannot be written', () => {
  it('holds up no other, and names itself once it has failed again and again', async () => {
    const { id, teamIds, roleId } = await organizationByHand();
    await rests(id);
    await platform.database.execute(sql`
      insert into role_permission (role_id, organization_id, namespace, action) values (${roleId}, ${id}, 'no_such', 'pair')`);
    await platform.database.execute(sql`update team set permission = 'admin' where id = ${teamIds[2]}`);
    const admin = { object: organizationObject(id), relation: 'admin', user: teamMembers(teamIds[2]!) };
    await until(async () => (await readTuples(platform.engine, [admin], operator())).length === 1, {
      what: 'the other unit is written', within: 15_000,
    });
    // Each replica reports only the units that it failed to write itself, so ask until an answer has the unit.
    const alarm = () => until(async () => {
      const units = (await platform.admin.getStatus({}, operator())).failingUnits;
      const failing = units.filter(({ organizationId }) => organizationId === id);
      return failing.length > 0 && failing;
    }, { what: 'the alarm', within: 30_000 });
    const named = { unit: `role:${roleId}`, cause: expect.any(String) };
    expect(await alarm()).toEqual([expect.objectContaining(named)]);
    // The unit is pending again, but must be named only once.
    await platform.database.execute(sql`delete from role_permission where role_id = ${roleId} and namespace = 'org_mgmt'`);
    expect(await alarm()).toEqual([expect.objectContaining(named)]);
    const drift = await platform.drift();
    expect(drift.notCompared).toEqual([
      { organizationId: id, reason: expect.stringContaining(`role:${roleId} cannot be written`) },
    ]);
    expect(drift.organizationsChecked).toBeGreaterThan(0);
    const alone = platform.admin.checkDrift({ organizationId: id, limit: 0 }, as(undefined, 30_000));
    expect(await reasonOf(alone)).toBe('UNAVAILABLE');
    await platform.database.execute(sql`delete from role_permission where namespace = 'no_such'`);
    await rests(id);
  }, 60_000);
});

describe('a role whose pairs cannot be written', () => {
  it('leaves later holders undecided, instead of what it was', async () => {
    const [owner, user] = await Promise.all([platform.user(), platform.user()]);
    const organization = await platform.organization(owner, { username: 'refused-role' });
    const { teamId, roleId } = await platform.database.one(sql<{ teamId: number; roleId: number }>`
      with team as (
        insert into team (organization_id, name, permission) values (${organization.id}, 'Later', 'none') returning id
      ), member as (
        insert into team_member (team_id, user_id, organization_id) select id, ${user.id}, ${organization.id} from team
      ), role as (
        insert into role (organization_id, name) values (${organization.id}, 'Refused') returning id
      ), pair as (
        insert into role_permission (role_id, organization_id, namespace, action)
        select id, ${organization.id}, 'team_mgmt', 'create teams' from role
      )
      select team.id as "teamId", role.id as "roleId" from team, role`);
    await rests(organization.id);
    const createTeam = (name: string) => reasonOf(platform.teams.createTeam(
      { orgname: 'refused-role', name, type: 'kubernetes', permission: 'read' }, as(user.token, 5_000),
    ));
    expect(await createTeam('one')).toBe('FORBIDDEN');
    // Store a pair that the engine's model does not know, as if this service were newer than the model.
    await platform.database.transact(async (transaction) => {
      await transaction.execute(sql`delete from role_permission where role_id = ${roleId}`);
      await transaction.execute(sql`
        insert into role_permission (role_id, organization_id, namespace, action)
        values (${roleId}, ${organization.id}, 'no_such', 'pair')`);
    });
    await platform.database.execute(sql`
      insert into team_role (role_id, team_id, organization_id) values (${roleId}, ${teamId}, ${organization.id})`);
    const assigned = { object: roleObject(roleId), relation: '', user: teamMembers(teamId) };
    await until(async () => (await readTuples(platform.engine, [assigned], operator())).length === 1, {
      what: 'the assignment is written', within: 15_000,
    });
    expect(await createTeam('two')).toBe('UNAVAILABLE');
    await platform.database.execute(sql`delete from role_permission where namespace = 'no_such'`);
    await rests(organization.id);
    expect(await createTeam('three')).toBe('FORBIDDEN');
  }, 60_000);
});

describe('reads while rows move (authorization.md, mixed reads)', () => {
  it('never allow what no state of the rows allowed', async () => {
    const authorization = await rpcClient(AuthorizationServiceService, platform.authz);
    const [owner, user] = await Promise.all([platform.user(), platform.user()]);
    const { id } = await platform.organization(owner, { username: 'mixed-reads' });
    await platform.settled(id);
    const team = await platform.database.one(sql<{ id: number }>`
      insert into team (organization_id, name, permission) values (${id}, 'Flipped', 'none') returning id`);
    await platform.database.execute(sql`
      insert into team_member (team_id, user_id, organization_id)
      select team.id, ${user.id}, ${id} from team where organization_id = ${id} and name = 'Viewers'`);
    const ask = async () => {
      const request = { objectType: 'organization', objectId: id, org: 'mixed-reads' };
      return (await authorization.getAllowedPermissions(request, as(user.token))).allowedPermissions;
    };
    const flip = (member: boolean) => platform.database.transact(async (transaction) => {
      await transaction.execute(sql`update team set permission = ${member ? 'none' : 'admin'} where id = ${team.id}`);
      await transaction.execute(member
        ? sql`insert into team_member (team_id, user_id, organization_id) values (${team.id}, ${user.id}, ${id})`
        : sql`delete from team_member where team_id = ${team.id} and user_id = ${user.id}`);
    });
    let asked = 0;
    let allowed = 0;
    for (let round = 0; round < 30; round += 1) {
      const [, ...answers] = await Promise.allSettled([flip(round % 2 === 0), ask(), ask()]);
      for (const answer of answers) {
        if (answer.status !== 'fulfilled') continue;
        asked += 1;
        if (answer.value.includes('can_edit')) allowed += 1;
      }
    }
    expect(asked).toBeGreaterThan(30);
    expect(allowed).toBe(0);
    // Check that the answer can also be positive: in the team, and with the permission admin, the user may edit.
    await platform.database.execute(sql`
      insert into team_member (team_id, user_id, organization_id) values (${team.id}, ${user.id}, ${id}) on conflict do nothing`);
    await platform.database.execute(sql`update team set permission = 'admin' where id = ${team.id}`);
    await until(async () => (await ask()).includes('can_edit'), { what: 'both hold' });
  }, 60_000);
});
