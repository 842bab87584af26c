import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, sql, type Database } from '@platform/postgres';
import { AccountRight } from '@platform/proto/options';
import { type Admission, AdmissionChanged } from '@platform/rpc';
import { as, until } from '@platform/testing';
import { deleteMember, insertMember } from '../accounts/members.ts';
import { operator, reasonOf, startPlatform, type TestPlatform, type TestUser } from '../fixtures/platform.ts';
import { accountRights } from '../standing/account-rights.ts';
import { lock } from './locks.ts';
import { createWrite, type Write, type WriteContext } from './write.ts';

let platform: TestPlatform;
let database: Database;
let write: Write;
beforeAll(async () => {
  platform = await startPlatform();
  database = connect({ url: platform.testing.url, schema: platform.testing.schema, applicationName: 'write spec' });
  // The real write path. The running service settles the organizations that it changes.
  write = createWrite(database, async (organizationId, deadline) =>
    (await reasonOf(platform.identity.settle({ organizationId }, { ...operator(), deadline }))) === 'OK',
  accountRights({ allowCreate: true }));
}, 60_000);
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

/** A write of the operator, which depends on no rights in the rows. */
function byOperator(): WriteContext {
  const admission: Admission = {
    tokenId: 0, callerId: 0, isAdmin: false, organizationId: 0, right: undefined, principals: [],
    readAt: 0,
  };
  return { ...operator(), caller: undefined, admission };
}

/** The rights on which the guard decides now, for a caller in an organization. */
async function admitted(user: TestUser, organizationId: number): Promise<WriteContext> {
  const { caller, organizations } = await platform.identity.getStanding(
    { token: user.token, slugs: [], organizationIds: [organizationId] }, operator(),
  );
  const admission: Admission = {
    tokenId: caller!.tokenId, callerId: caller!.id, isAdmin: caller!.isAdmin, organizationId, right: undefined, readAt: 0,
    principals: organizations[0]!.principals.map(({ user: principal, revision }) => ({ user: principal, revision })),
  };
  return { ...as(user.token), caller, admission };
}

async function organizationWithAdmin() {
  const [owner, admin] = await Promise.all([platform.user(), platform.user()]);
  const { id } = await platform.organization(owner, { username: `guarded-${owner.id}` });
  const { id: teamId } = await platform.database.one(sql<{ id: number }>`
    insert into team (organization_id, name, permission) values (${id}, 'Admins', 'admin') returning id`);
  const membership = { organizationId: id, teamId, userId: admin.id };
  await insertMember(platform.database, membership);
  return { id, owner, admin, teamId, membership };
}
type World = Awaited<ReturnType<typeof organizationWithAdmin>>;

describe('the guard of a write (authorization.md W2)', () => {
  it.each([
    ['was removed from the team', ({ membership }: World) => deleteMember(platform.database, membership)],
    ['was added to another team', ({ id, admin }: World) => platform.database.execute(sql`
      insert into team_member (team_id, user_id, organization_id)
      select id, ${admin.id}, ${id} from team where organization_id = ${id} and name = 'Viewers'`)],
    ['is in a team that changed', ({ teamId }: World) =>
      platform.database.execute(sql`update team set permission = 'none' where id = ${teamId}`)],
    ['is in a team that changed to and fro', async ({ teamId }: World) => {
      await platform.database.execute(sql`update team set permission = 'none' where id = ${teamId}`);
      await platform.database.execute(sql`update team set permission = 'admin' where id = ${teamId}`);
    }],
    ['lost the token', ({ admin }: World) =>
      platform.database.execute(sql`delete from access_token where account_id = ${admin.id}`)],
    ['has a token that ran out', ({ admin }: World) =>
      platform.database.execute(sql`update access_token set expires_at = now() where account_id = ${admin.id}`)],
    ['was made inactive', ({ admin }: World) =>
      platform.admin.updateUser({ username: admin.name, active: false }, operator())],
    ['was prohibited', ({ admin }: World) =>
      platform.admin.updateUser({ username: admin.name, prohibitLogin: true }, operator())],
    ['was deleted', ({ admin }: World) => platform.admin.deleteUser({ username: admin.name, leaveOrganizations: false }, operator())],
    ['lost the organization', ({ id }: World) => platform.database.execute(sql`delete from account where id = ${id}`)],
  ] as const)('refuses one who %s since the decision, and nothing is written', async (_what, change) => {
    const world = await organizationWithAdmin();
    const context = await admitted(world.admin, world.id);
    await change(world);
    let acted = false;
    const attempt = write(context, [lock.permission(world.id), lock.account(world.admin.id)], async (work) => {
      acted = true;
      await insertMember(work, world.membership);
    });
    await expect(attempt).rejects.toThrow(AdmissionChanged);
    expect(acted).toBe(false);
  });

  it('lets in whose rows stand as they were, and does not mind changes elsewhere', async () => {
    const world = await organizationWithAdmin();
    const context = await admitted(world.admin, world.id);
    await platform.database.execute(sql`update team set permission = 'write' where organization_id = ${world.id} and name = 'Viewers'`);
    await platform.database.execute(sql`update team set description = 'other' where id = ${world.teamId}`);
    await expect(write(context, [lock.structure(world.id)], async () => 'done')).resolves.toBe('done');
  });

  it('a right of the account that the decision rests on is looked at again too', async () => {
    const { id, admin } = await organizationWithAdmin();
    const context = await admitted(admin, id);
    const admission: Admission = { ...context.admission, right: AccountRight.CREATE_ORGANIZATIONS };
    const creating = () => write({ ...context, admission }, [lock.account(admin.id)], async () => 'done');
    await expect(creating()).resolves.toBe('done');
    await platform.database.execute(sql`update account set allow_create_organization = false where id = ${admin.id}`);
    await expect(creating()).rejects.toThrow(AdmissionChanged);
    await expect(write(context, [lock.account(admin.id)], async () => 'done')).resolves.toBe('done');
  });

  it('a site admin is admitted for the flag, and only while it is set', async () => {
    const [world, site] = await Promise.all([organizationWithAdmin(), platform.user({ admin: true })]);
    const context = await admitted(site, world.id);
    await insertMember(platform.database, { ...world.membership, userId: site.id });
    await expect(write(context, [lock.structure(world.id)], async () => 'done')).resolves.toBe('done');
    await platform.admin.updateUser({ username: site.name, admin: false }, operator());
    await expect(write(context, [lock.structure(world.id)], async () => 'done')).rejects.toThrow(AdmissionChanged);
  });

  it('an administrator who is being removed cannot come back, in either order', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id, owner, admin, teamId, membership } = await organizationWithAdmin();
      const [adding, removing] = [await admitted(admin, id), await admitted(owner, id)];
      const locks = [lock.permission(id), lock.account(admin.id), lock.teamStays(teamId)];
      const [added, removed] = await Promise.allSettled([
        write(adding, locks, (work) => insertMember(work, membership)),
        write(removing, locks, (work) => deleteMember(work, membership)),
      ]);
      expect(removed.status).toBe('fulfilled');
      // Before the removal the call adds nothing; after it the call is refused.
      if (added.status === 'fulfilled') expect(added.value).toBe(false);
      else expect(added.reason).toBeInstanceOf(AdmissionChanged);
      const rows = await platform.database.query(sql`select from team_member where team_id = ${teamId}`);
      expect(rows).toEqual([]);
    }
  }, 60_000);

  it('what takes a right away waits for a write that rests on it', async () => {
    const world = await organizationWithAdmin();
    const context = await admitted(world.admin, world.id);
    const [inside, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = write(context, [lock.permission(world.id)], async () => {
      inside.resolve();
      await leave.promise;
    });
    await inside.promise;
    const revoking = write(
      byOperator(),
      [lock.permission(world.id), lock.account(world.admin.id)],
      (work) => deleteMember(work, world.membership),
    );
    await until(async () => (await platform.database.query(sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'write spec'`)).length > 0, {
      what: 'the removal waits',
    });
    leave.resolve();
    await writing;
    expect(await revoking).toBe(true);
  });
});

describe('many at once', () => {
  it('64 administrators change 64 teams of one organization: every change is made', async () => {
    const { id, owner } = await organizationWithAdmin();
    const teams = await platform.database.query(sql<{ id: number }>`
      insert into team (organization_id, name, permission)
      select ${id}, 'Team ' || n, 'none' from generate_series(1, 64) n returning id`);
    const admins = await Promise.all(teams.map(() => platform.user()));
    await platform.database.execute(sql`
      insert into team_member (team_id, user_id, organization_id)
      select (select id from team where organization_id = ${id} and name = 'Admins'), user_id, ${id}
        from unnest(${admins.map((admin) => admin.id)}::bigint[]) as user_id`);
    const contexts = await Promise.all(admins.map((admin) => admitted(admin, id)));
    const outcomes = await Promise.allSettled(teams.map((team, index) =>
      write(contexts[index]!, [lock.structure(id), lock.team(team.id)], async (work) => {
        await work.execute(sql`update team set permission = 'write' where id = ${team.id}`);
        work.settles(id);
      })));
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    const { identity, organizations, patiently } = platform;
    expect(await reasonOf(patiently(() => identity.settle({ organizationId: id }, operator())))).toBe('OK');
    expect(await platform.drift(id)).toMatchObject({ differences: [] });
    const checkOwner = () => organizations.checkOwner({ orgname: `guarded-${owner.id}` }, as(owner.token));
    expect(await reasonOf(patiently(checkOwner))).toBe('OK');
  }, 60_000);

  it('a user in many organizations is deleted beside teams of the user: no deadlock', async () => {
    const [owner, user] = await Promise.all([platform.user(), platform.user()]);
    const worlds: { id: number; teamId: number }[] = [];
    for (let count = 0; count < 12; count += 1) {
      const { id } = await platform.organization(owner, { username: `crosswise-${count}-${owner.id}` });
      const { id: teamId } = await platform.database.one(sql<{ id: number }>`
        insert into team (organization_id, name, permission) values (${id}, 'Shared', 'read') returning id`);
      await insertMember(platform.database, { organizationId: id, teamId, userId: user.id });
      worlds.push({ id, teamId });
    }
    const context = byOperator();
    const [deleted, ...teams] = await Promise.allSettled([
      platform.admin.deleteUser({ username: user.name, leaveOrganizations: false }, operator()),
      ...worlds.reverse().map(({ id, teamId }) =>
        write(context, [lock.structure(id), lock.teamRemoval(teamId)], (work) =>
          work.execute(sql`delete from team where id = ${teamId}`))),
    ]);
    expect([deleted, ...teams].filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await platform.database.query(sql`select from team_member where user_id = ${user.id}`)).toEqual([]);
    const { deadlocks } = await platform.database.one(sql<{ deadlocks: number }>`
      select deadlocks from pg_stat_database where datname = current_database()`);
    expect(deadlocks).toBe(0);
  }, 60_000);
});
