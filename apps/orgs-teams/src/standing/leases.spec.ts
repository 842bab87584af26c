import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  deleteSessions, insertSession, type LeaseSessions, openHolder, openLine, renewSession,
} from '@platform/leases';
import { IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import { OrganizationServiceService } from '@platform/proto/orgs/v1/organization';
import { sql } from '@platform/postgres';
import { silentLogger } from '@platform/service';
import { as, rpcClient, tcpProxy, type TcpProxy, testBus, type TestBus, until } from '@platform/testing';
import { insertMember } from '../accounts/members.ts';
import { operator, reasonOf, startPlatform, type TestPlatform, type TestUser } from '../fixtures/platform.ts';

let bus: TestBus;
let platform: TestPlatform;
let postgres: TcpProxy;
/** The replica that caches answers, with a connection to PostgreSQL that can be held. */
let holder: Awaited<ReturnType<typeof organizationsOf>>;
/** The same replica, for guards of other services. */
let identities: Awaited<ReturnType<typeof identitiesOf>>;

beforeAll(async () => {
  bus = await testBus();
  const leases = { 'leases.enabled': 'true', 'leases.lifetime': '3s', ...bus.settings };
  platform = await startPlatform({ settings: leases });
  const url = new URL(platform.testing.url);
  postgres = await tcpProxy(url.host);
  url.host = postgres.address;
  const replica = await platform.startAnother({ 'postgres.url': url.href });
  [holder, identities] = [await organizationsOf(replica), await identitiesOf(replica)];
  await until(async () => {
    const sessions = await platform.database.query(sql`select from lease_session where not is_revoked`);
    return sessions.length === 2;
  }, { what: 'both replicas have a session', within: 15_000 });
}, 60_000);
afterAll(async () => {
  await postgres.release();
  await platform[Symbol.asyncDispose]();
});

function organizationsOf(replica: Parameters<typeof rpcClient>[1]) {
  return rpcClient(OrganizationServiceService, replica);
}

function identitiesOf(replica: Parameters<typeof rpcClient>[1]) {
  return rpcClient(IdentityServiceService, replica, { serviceCredential: platform.serviceCredential });
}

async function world() {
  const [owner, member] = await Promise.all([platform.user(), platform.user()]);
  const { id, username } = await platform.organization(owner, { username: `leases-${owner.id}`, visibility: 'private' });
  const { id: teamId } = await platform.database.one(sql<{ id: number }>`
    select id from team where organization_id = ${id} and name = 'Viewers'`);
  const join = () => insertMember(platform.database, { organizationId: id, teamId, userId: member.id });
  await join();
  const read = ({ token }: TestUser) => reasonOf(holder.getOrganization({ orgname: username! }, as(token)));
  return { id, username: username!, owner, member, teamId, join, read };
}
type World = Awaited<ReturnType<typeof world>>;

const idle = () => until(async () => {
  const untold = await platform.database.query(sql`select from lease_change`);
  return untold.length === 0;
}, { what: 'no change waits to be told' });

describe('a known caller', () => {
  it('is answered without PostgreSQL', async () => {
    const { member, read } = await world();
    await idle();
    expect(await read(member)).toBe('OK');
    postgres.hold();
    expect(await read(member)).toBe('OK');
    await postgres.release();
  });

  it('is answered without PostgreSQL to the guard of another service, for a call that changes nothing', async () => {
    const { username, member } = await world();
    await idle();
    const ask = (mayBeKept: boolean) => reasonOf(identities.getStanding(
      { token: member.token, slugs: [username], organizationIds: [], mayBeKept }, as(undefined, 1_000),
    ));
    expect(await ask(true)).toBe('OK');
    postgres.hold();
    expect(await ask(true)).toBe('OK');
    expect(await ask(false)).toBe('DEADLINE_EXCEEDED');
    await postgres.release();
  });

  it.each<[string, (given: World) => Promise<unknown>, string]>([
    ['left the team', ({ owner, member, teamId }) =>
      platform.teamMembers.removeTeamMember({ teamid: teamId, username: member.name }, as(owner.token)), 'NOT_FOUND'],
    ['was prohibited', ({ member }) =>
      platform.admin.updateUser({ username: member.name, prohibitLogin: true }, operator()), 'ACCOUNT_DISABLED'],
    ['was made inactive', ({ member }) =>
      platform.admin.updateUser({ username: member.name, active: false }, operator()), 'UNAUTHENTICATED'],
    ['was deleted', ({ member }) =>
      platform.admin.deleteUser({ username: member.name, leaveOrganizations: false }, operator()), 'UNAUTHENTICATED'],
  ])('who %s by a call to another replica is refused at once', async (_what, revoke, reason) => {
    const given = await world();
    expect(await given.read(given.member)).toBe('OK');
    expect(await given.read(given.member)).toBe('OK');
    await revoke(given);
    expect(await given.read(given.member)).toBe(reason);
  });

  it('loses a token at once, and 40 times', async () => {
    const { member, read } = await world();
    for (let round = 0; round < 40; round += 1) {
      const made = await platform.admin.createToken(
        { user: member.name, organization: '', expiresInSeconds: 0, name: `leases ${round}` }, operator(),
      );
      const user = { ...member, token: made.token };
      expect(await read(user)).toBe('OK');
      const busy = Promise.all(Array.from({ length: 4 }, () => read(user)));
      await platform.admin.revokeToken({ id: made.id }, operator());
      expect(await read(user)).toBe('UNAUTHENTICATED');
      await busy;
    }
  }, 60_000);

  it('is refused after a repair that follows a change without triggers', async () => {
    const { member, read } = await world();
    await idle();
    expect(await read(member)).toBe('OK');
    // Like after a restore: no trigger has noticed the deletion.
    await platform.database.transact(async (transaction) => {
      await transaction.execute(sql`alter table access_token disable trigger user`);
      await transaction.execute(sql`delete from access_token where account_id = ${member.id}`);
      await transaction.execute(sql`alter table access_token enable trigger user`);
    });
    await platform.admin.repairDrift({ organizationId: 0 }, as(undefined, 30_000));
    expect(await read(member)).toBe('UNAUTHENTICATED');
  }, 60_000);

  it('is refused soon after a change by hand in SQL', async () => {
    const { member, read } = await world();
    expect(await read(member)).toBe('OK');
    await platform.database.execute(sql`delete from access_token where account_id = ${member.id}`);
    await idle();
    expect(await read(member)).toBe('UNAUTHENTICATED');
  });
});

it('a holder that nobody asks has no session, and has one again once it is asked', async () => {
  const { database } = platform;
  const [lifetimeMs, registered] = [3_000, [] as string[]];
  const sessions: LeaseSessions = {
    register: async (id, replaces, deadline) => {
      await insertSession(database, id, { replaces, lifetimeMs }, deadline);
      registered.push(id);
    },
    renew: (id, deadline) => renewSession(database, id, lifetimeMs, deadline),
    end: (id, deadline) => deleteSessions(database, [id], deadline),
  };
  await using line = openLine(bus, 'orgs-teams', silentLogger);
  const said: boolean[] = [];
  const changed = (hasSession: boolean) => void said.push(hasSession);
  const rest = { lifetimeMs, mostBytes: 1_000, unusedMs: 1_500, log: silentLogger };
  await using asked = openHolder({ sessions, line, changed, ...rest });
  const rows = () => database.query(sql`select from lease_session where id = any (${registered}::uuid[])`);
  await until(() => registered.length === 1, { what: 'it has a session' });
  await until(async () => (await rows()).length === 0, { what: 'its session has ended', within: 10_000 });
  asked.look('question');
  await until(() => said.length === 3, { what: 'it has another session' });
  expect(await rows()).toHaveLength(1);
  // The loop of the authority need not look often after the bus is lost.
  await line[Symbol.asyncDispose]();
  await until(() => said.length === 4, { what: 'it has noticed the loss' });
  expect(said).toEqual([true, false, true, false]);
});
