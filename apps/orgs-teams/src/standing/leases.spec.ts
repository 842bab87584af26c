import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectLeaseBus, type LeaseSessions, openHolder } from '@platform/leases';
import { LeaseServiceService } from '@platform/proto/leases/v1/leases';
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
    // As after a restore, delete the tokens without the triggers that note the change.
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

describe('a holder in another process', () => {
  const lifetimeMs = 3_000;
  const given = { replaces: '', lifetimeMs };
  let client: Awaited<ReturnType<typeof leasesOf>>;
  beforeAll(async () => {
    client = await leasesOf();
  });

  function leasesOf() {
    return rpcClient(LeaseServiceService, platform.service, { serviceCredential: platform.serviceCredential });
  }

  /** Opens a holder that registers its sessions with the LeaseService, like a holder in another process. */
  function openRemote(stack: AsyncDisposableStack, unusedMs?: number) {
    const registered: string[] = [];
    const sessions: LeaseSessions = {
      register: async (id, replaces = '') => {
        const { live } = await client.keepSession({ id, isNew: true, replaces, lifetimeMs }, as(undefined));
        registered.push(id);
        return live;
      },
      renew: async (id) => (await client.keepSession({ ...given, id, isNew: false }, as(undefined))).live,
      end: async (id) => void await client.endSession({ id }, as(undefined)),
    };
    const line = stack.use(connectLeaseBus(bus, silentLogger)).line('orgs-teams');
    const stopping = new AbortController();
    const options = { sessions, line, lifetimeMs, mostBytes: 10_000, stopping: stopping.signal, log: silentLogger };
    const remote = stack.use(openHolder<string>({ ...options, ...(unusedMs !== undefined && { unusedMs }) }));
    return { remote, registered, stopping };
  }

  it('has no session while nobody asks it, and another one once it is asked', async () => {
    await using stack = new AsyncDisposableStack();
    const { remote, registered } = openRemote(stack, 1_500);
    const rows = () => platform.database.query(sql`
      select from lease_session where id = any (${registered}::uuid[])`);
    await until(() => registered.length === 1, { what: 'it has a session' });
    await until(async () => (await rows()).length === 0, { what: 'its session has ended', within: 10_000 });
    remote.look('question');
    await until(() => registered.length === 2, { what: 'it has another session' });
    expect(await rows()).toHaveLength(1);
  });

  it('has dropped what a call changed when the call returns, also a change by hand a moment later', async () => {
    await using stack = new AsyncDisposableStack();
    const { remote, registered } = openRemote(stack);
    await until(() => registered.length === 1, { what: 'it has a session' });
    const { member } = await world();
    const create = () => platform.admin.createToken(
      { user: member.name, organization: '', expiresInSeconds: 0, name: 'of a holder' }, operator(),
    );
    const keep = async (question: string, id: number) => {
      await idle();
      const kept = { keys: [`token/${id}`], value: question, bytes: 100 };
      await remote.read(question, async (mayBeKept) => ({ result: expect(mayBeKept).toBe(true), kept }));
      expect(remote.look(question)).toBe(question);
    };
    const [one, two] = [await create(), await create()];
    await keep('one', one.id);
    await keep('two', two.id);
    await platform.admin.revokeToken({ id: one.id }, operator());
    expect([remote.look('one'), remote.look('two')]).toEqual([undefined, 'two']);
    await platform.database.execute(sql`delete from access_token where id = ${two.id}`);
    await until(() => remote.look('two') === undefined, { what: 'it has heard of the change', within: 5_000 });
  }, 30_000);

  it('has no session once its process begins to stop', async () => {
    await using stack = new AsyncDisposableStack();
    const { remote, registered, stopping } = openRemote(stack);
    await until(() => registered.length === 1, { what: 'it has a session' });
    stopping.abort();
    const rows = () => platform.database.query(sql`select from lease_session where id = ${registered[0]!}`);
    await until(async () => (await rows()).length === 0, { what: 'its session has ended', within: 5_000 });
    remote.look('question');
    expect(registered).toHaveLength(1);
  });

  it('cannot renew a revoked session, and may end a session that does not exist', async () => {
    const id = randomUUID();
    const renew = async () => (await client.keepSession({ ...given, id, isNew: false }, as(undefined))).live;
    expect(await renew()).toBe(false);
    await client.keepSession({ ...given, id, isNew: true }, as(undefined));
    expect(await renew()).toBe(true);
    await platform.database.execute(sql`update lease_session set is_revoked = true where id = ${id}`);
    expect(await renew()).toBe(false);
    for (const _ of [1, 2]) expect(await client.endSession({ id }, as(undefined))).toEqual({});
  });

  it.each([
    ['an id that is not a UUID', { id: 'one' }],
    ['a previous id that is not a UUID', { replaces: 'one' }],
    ['a lifetime that is too short', { lifetimeMs: 499 }],
    ['a lifetime that is too long', { lifetimeMs: 60_001 }],
  ])('may not give %s', async (_what, wrong) => {
    const call = client.keepSession({ ...given, id: randomUUID(), isNew: true, ...wrong }, as(undefined));
    expect(await reasonOf(call)).toBe('INVALID_VALUE');
  });
});
