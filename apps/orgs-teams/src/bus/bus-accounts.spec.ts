import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  accountOf, arrivalSubject, type BusConnection, connectBus, createAccountKeys, eventSubject, lookUpAccount, memberRequestSubject,
  pushAccount, requestSubject, signAccount,
} from '@platform/bus';
import { sql } from '@platform/postgres';
import { as, http, lyingBus, type OwnBus, ownBus, type Replica, until } from '@platform/testing';
import { operator, pathsOf, reasonOf, startPlatform, type TestPlatform, type TestUser } from '../fixtures/platform.ts';
import { revisionOf } from './account-jwt.ts';

let bus: OwnBus;
let platform: TestPlatform;
let owner: TestUser;
let acme: number;
let other: number;
beforeAll(async () => {
  bus = await ownBus();
  platform = await startPlatform({ replicas: 2, settings: bus.settings, ownProcess: 'killed' });
  owner = await platform.user();
  acme = (await platform.organization(owner, { username: 'acme' })).id;
  other = (await platform.organization(owner, { username: 'other' })).id;
}, 120_000);
const connections: BusConnection[] = [];
afterEach(async () => {
  for (const connection of connections.splice(0)) await connection[Symbol.asyncDispose]();
});
afterAll(async () => {
  await platform?.[Symbol.asyncDispose]();
});

interface Made { id: number; busPubKey: string; creds: string; clusterUid: string }

async function create(organization = 'acme', productName = 'kubedb'): Promise<Made> {
  const clusterUid = randomUUID();
  const made = await platform.admin.createBusAccount({ organization, clusterUid, productName }, as(undefined, 30_000));
  return { ...made, clusterUid };
}

async function connectAs({ creds }: Pick<Made, 'creds'>): Promise<BusConnection> {
  const connection = await connectBus({ url: bus.access.url, credentials: creds }, 10_000);
  connections.push(connection);
  return connection;
}

const refused = { name: 'AuthorizationError' };
const revoke = (id: number, orgname = 'acme') =>
  platform.tokens.revokeBusToken({ orgname, id }, as(owner.token, 20_000));
const eventOf = ({ clusterUid }: Pick<Made, 'clusterUid'>, ownerId = acme) =>
  eventSubject({ ownerId, clusterUid, productName: 'kubedb' }, 1);
const accounts = async (orgname = 'acme') =>
  (await platform.tokens.listBusTokens({ orgname }, as(owner.token))).accounts;
const system = () => ({ url: bus.access.url, credentials: bus.access.systemCredentials });

/** Waits until the bus servers have received the accounts in the rows. */
async function told(organizationId: number): Promise<void> {
  await until(
    async () => (await platform.database.one(sql<{ told: boolean }>`
      select told_revision = revision as "told" from bus_account where organization_id = ${organizationId}`)).told,
    { within: 30_000, what: 'the servers have the account' },
  );
}

describe('credentials', () => {
  it('open the bus when they are answered, for the subjects of their cluster and product', async () => {
    const made = await create();
    expect(made).toMatchObject({ id: expect.any(Number), busPubKey: expect.stringMatching(/^U[A-Z2-7]{55}$/) });
    expect(made.creds).toMatch(/^-----BEGIN NATS USER JWT-----\n/);
    const platformSide = await connectAs({ creds: bus.access.credentials });
    const heard: string[] = [];
    await platformSide.subscribe('arrivals.>', ({ subject }) => heard.push(subject));
    const member = await connectAs(made);
    const subject = eventOf(made);
    await member.publish(eventOf(made, other), 'forged');
    await member.publish(subject, '{}');
    await until(() => heard.length > 0, { what: 'the event arrives' });
    expect(heard).toEqual([arrivalSubject({ ownerId: acme, clusterUid: made.clusterUid, productName: 'kubedb' })]);
  });

  it('are of one organization: its requests are heard by no other', async () => {
    const [one, two] = [await create('acme'), await create('other')];
    const place = { clusterUid: one.clusterUid, productName: 'kubedb' };
    const heard: string[] = [];
    const [mine, stranger] = [await connectAs(one), await connectAs(two)];
    const platformSide = await connectAs({ creds: bus.access.credentials });
    await mine.subscribe(memberRequestSubject({ ownerId: acme, ...place }), ({ text }) => heard.push(text));
    await expect(stranger.subscribe(memberRequestSubject({ ownerId: acme, ...place }), () => undefined))
      .rejects.toMatchObject({ name: 'PermissionViolationError' });
    expect(accountOf(one.creds)).not.toBe(accountOf(two.creds));
    await platformSide.publish(requestSubject({ ownerId: other, ...place }), 'to the other');
    await platformSide.publish(requestSubject({ ownerId: acme, ...place }), 'to acme');
    await until(() => heard.length > 0, { what: 'the request arrives' });
    expect(heard).toEqual(['to acme']);
  });

  it('are listed without a secret, and none is kept', async () => {
    const made = await create();
    const [systemAdmin] = await platform.database.query(sql<{ id: number }>`select id from account where system_admin_of = ${acme}`);
    expect((await accounts()).find(({ id }) => id === made.id)).toEqual({
      id: made.id, uid: systemAdmin!.id, accountType: 'user', busPubKey: made.busPubKey, clusterId: made.clusterUid,
      productName: 'kubedb', revoked: false,
    });
    const rows = await platform.database.query(sql`
      select to_jsonb(bus_user) as "row" from bus_user union all select to_jsonb(bus_account) from bus_account
      union all select to_jsonb(audit) from audit`);
    // Seeds of users, accounts and operators begin like this.
    expect(JSON.stringify(rows)).not.toMatch(/S[UAO][A-Z2-7]{56}/);
  });

  it.each([
    [{ clusterUid: 'x' }, ['clusterUid']],
    [{ productName: '' }, ['productName']],
    [{ productName: 'a.b' }, ['productName']],
    [{ productName: '*' }, ['productName']],
    [{ productName: '>' }, ['productName']],
    [{ productName: 'a b' }, ['productName']],
    [{ productName: 'x'.repeat(64) }, ['productName']],
    [{ clusterUid: '*', productName: 'a\n' }, ['clusterUid', 'productName']],
  ])('%j is refused for %j', async (given, paths) => {
    const request = { organization: 'acme', clusterUid: randomUUID(), productName: 'kubedb', ...given };
    expect(await pathsOf(platform.admin.createBusAccount(request, operator()))).toEqual(paths);
  });

  it('need an organization with a system admin', async () => {
    const request = (organization: string) => ({ organization, clusterUid: randomUUID(), productName: 'p' });
    expect(await reasonOf(platform.admin.createBusAccount(request('nobody'), operator()))).toBe('NOT_FOUND');
    expect(await reasonOf(platform.admin.createBusAccount(request(owner.name), operator()))).toBe('NOT_FOUND');
    const { id } = await platform.organization(owner, { username: 'headless' });
    await platform.database.execute(sql`delete from account where system_admin_of = ${id}`);
    const headless = platform.admin.createBusAccount(request('headless'), operator());
    expect(await reasonOf(headless)).toBe('SYSTEM_ADMIN_MISSING');
  });
});

describe('revoking', () => {
  it('cuts the connection, admits nobody from the answer on, touches no other, and may be repeated', async () => {
    const [goes, stays] = [await create(), await create()];
    const [cut, kept] = [await connectAs(goes), await connectAs(stays)];
    await revoke(goes.id);
    await expect(connectAs(goes)).rejects.toMatchObject(refused);
    const start = performance.now();
    await cut.closed;
    expect(performance.now() - start).toBeLessThan(5_000);
    await revoke(goes.id);
    await kept.publish(eventOf(stays), '{}');
    const revoked = Object.fromEntries((await accounts()).map(({ id, revoked: is }) => [id, is]));
    expect([revoked[goes.id], revoked[stays.id]]).toEqual([true, false]);
    const { entries } = await platform.admin.listAudit(
      { account: 'acme', action: 'bus_account.revoke', pageSize: 0, pageToken: '' }, operator(),
    );
    expect(entries.filter(({ object }) => object === `bus_account:${goes.id}`)).toHaveLength(1);
  });

  it('does not wait for a lease from before the clock was set back', async () => {
    const made = await create();
    await told(acme);
    await platform.database.execute(sql`
      update bus_account set lease = gen_random_uuid(), leased_until = clock_timestamp() + interval '1 hour'
       where organization_id = ${acme}`);

    expect(await revoke(made.id)).toEqual({});
    await told(acme);
    await expect(connectAs(made)).rejects.toMatchObject(refused);
  });

  it('knows no foreign and no unknown id', async () => {
    const foreign = await create('other');
    expect(await reasonOf(revoke(foreign.id))).toBe('BUS_USER_NOT_FOUND');
    expect(await reasonOf(revoke(999_999))).toBe('BUS_USER_NOT_FOUND');
    expect((await accounts('other')).find(({ id }) => id === foreign.id)?.revoked).toBe(false);
  });

  it('and making many at once, by two replicas, ends with what the rows say', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => create('other')));
    const [gone, live] = [made.slice(0, 6), made.slice(6)];
    const reasons = await Promise.all([
      ...gone.map(({ id }) => reasonOf(revoke(id, 'other'))),
      ...Array.from({ length: 4 }, () => reasonOf(create('other'))),
    ]);
    expect(new Set(reasons)).toEqual(new Set(['OK']));
    for (const one of gone) await expect(connectAs(one)).rejects.toMatchObject(refused);
    for (const one of live) await connectAs(one);
    const row = await platform.database.one(sql<{ publicKey: string; revision: number }>`
      select public_key as "publicKey", revision from bus_account where organization_id = ${other}`);
    expect(revisionOf((await lookUpAccount(system(), row.publicKey, 5_000))!)).toBe(row.revision);
  }, 120_000);

  it('comes with the end of the system admin', async () => {
    const { id } = await platform.organization(owner, { username: 'goes-headless' });
    const made = await create('goes-headless');
    const member = await connectAs(made);
    await platform.database.execute(sql`delete from account where system_admin_of = ${id}`);
    await member.closed;
    await told(id);
    await expect(connectAs(made)).rejects.toMatchObject(refused);
    expect(await lookUpAccount(system(), accountOf(made.creds), 5_000)).toBeDefined();
  });

  it('comes with the end of the organization, whose account the servers forget', async () => {
    await platform.organization(owner, { username: 'goes' });
    const made = await create('goes');
    const member = await connectAs(made);
    await platform.organizations.deleteOrganization({ orgname: 'goes' }, as(owner.token));
    await member.closed;
    const account = accountOf(made.creds);
    await until(async () => (await platform.database.query(sql`select from bus_account_removal`)).length === 0, {
      within: 20_000, what: 'the account is forgotten',
    });
    // Meanwhile another replica may have closed the account again; it then deletes the account too.
    await until(async () => (await lookUpAccount(system(), account, 5_000)) === undefined, {
      within: 20_000, what: 'the servers have forgotten it',
    });
    await expect(connectAs(made)).rejects.toMatchObject(refused);
  });
});

describe('accounts at the servers that are in no row, as restored rows leave them', () => {
  it('are not called trouble of the bus where PostgreSQL has it', async () => {
    const { id } = await platform.organization(owner, { username: 'unlucky' });
    await create('unlucky');
    await platform.database.transact(async (transaction) => {
      await transaction.execute(sql`delete from bus_account where organization_id = ${id}`);
      await transaction.execute(sql`delete from bus_account_removal where organization_id = ${id}`);
    });
    await platform.database.execute(sql`alter table bus_account_removal add constraint not_today check (false) not valid`);
    try {
      expect(await reasonOf(platform.admin.repairDrift({}, as(undefined, 60_000)))).toBe('INTERNAL');
    } finally {
      await platform.database.execute(sql`alter table bus_account_removal drop constraint not_today`);
    }
    expect((await platform.admin.repairDrift({}, as(undefined, 60_000))).busAccountsUnknown).toBe(1);
  });

  it('are forgotten by a repair; those of others are not', async () => {
    const { id } = await platform.organization(owner, { username: 'restored' });
    const made = await create('restored');
    await platform.database.transact(async (transaction) => {
      await transaction.execute(sql`delete from bus_account where organization_id = ${id}`);
      await transaction.execute(sql`delete from bus_account_removal where organization_id = ${id}`);
    });
    const foreign = createAccountKeys().publicKey;
    const jwt = await signAccount(bus.access.operatorSeed, foreign, { name: `organization-${id}`, jetstream: false });
    await pushAccount(system(), jwt, 5_000);
    const repaired = await platform.admin.repairDrift({}, as(undefined, 60_000));
    expect(repaired).toMatchObject({ busAccountsUnknown: 1, busTrouble: '' });
    await until(async () => (await lookUpAccount(system(), accountOf(made.creds), 5_000)) === undefined, {
      within: 20_000, what: 'the servers have forgotten it',
    });
    await expect(connectAs(made)).rejects.toMatchObject(refused);
    expect(await lookUpAccount(system(), foreign, 5_000)).toBe(jwt);
    expect((await platform.admin.repairDrift({}, as(undefined, 60_000))).busAccountsUnknown).toBe(0);
  }, 120_000);
});

describe('while the bus is away', () => {
  afterEach(async () => bus.proxy.release());

  it('nothing is made, everything else goes on', async () => {
    await bus.proxy.refuse();
    const before = (await accounts()).length;
    expect(await reasonOf(create())).toBe('UNAVAILABLE');
    expect((await accounts()).length).toBe(before);
    expect(await reasonOf(platform.organizations.getOrganization({ orgname: 'acme' }, as(owner.token)))).toBe('OK');
    await bus.proxy.release();
    await told(acme);
    expect(await reasonOf(create())).toBe('OK');
  });

  const ways = ['refuses connections', 'takes them and is silent'] as const;
  it.each(ways)('and %s: a revocation is 503 and marked, and lands later', async (how) => {
    const made = await create();
    const member = await connectAs(made);
    if (how === 'refuses connections') await bus.proxy.refuse();
    else bus.proxy.hold();
    const start = performance.now();
    expect(await reasonOf(revoke(made.id))).toBe('UNAVAILABLE');
    expect(performance.now() - start).toBeLessThan(15_000);
    expect((await accounts()).find(({ id }) => id === made.id)?.revoked).toBe(true);
    await connectAs(made);
    await bus.proxy.release();
    await member.closed;
    await told(acme);
    await expect(connectAs(made)).rejects.toMatchObject(refused);
    expect(await reasonOf(revoke(made.id))).toBe('OK');
  }, 120_000);

  it('and the service is killed and starts again meanwhile: it lands all the same', async () => {
    const made = await create();
    const member = await connectAs(made);
    bus.proxy.hold();
    const revoking = reasonOf(revoke(made.id)).catch(() => 'LOST');
    await until(async () => (await platform.database.query(sql`
      select from bus_user where id = ${made.id} and revoked_at is not null`)).length === 1, { what: 'the row is marked' });
    const replicas = [platform.service, ...platform.others].flatMap((service) => service.replicas);
    await Promise.all(replicas.map((replica) => replica.kill()));
    await revoking;
    await bus.proxy.refuse();
    await Promise.all(replicas.map((replica) => replica.restart()));
    expect(await reasonOf(platform.organizations.getOrganization({ orgname: 'acme' }, as(owner.token)))).toBe('OK');
    await bus.proxy.release();
    await member.closed;
    await told(acme);
    await expect(connectAs(made)).rejects.toMatchObject(refused);
  }, 180_000);
});

describe('what operators see', () => {
  const replicas = () => [platform.service, ...platform.others].map((service) => service.replicas[0]);
  const lines = (...words: string[]) =>
    replicas().flatMap(({ log }) => log.filter((line) => words.every((word) => line.includes(word)))).length;

  /** Why a replica considers the bus unavailable; empty if it does not. */
  async function troubleOf({ addresses }: Replica): Promise<string> {
    const answer = await http(`http://${addresses['admin']}`).get('/readyz');
    const { checks } = answer.json<{ checks: { name: string; reason?: string }[] }>();
    return checks.find(({ name }) => name === 'NATS')!.reason ?? '';
  }

  async function untilTrouble(trouble: string): Promise<void> {
    await until(async () => (await Promise.all(replicas().map(troubleOf))).every((one) => one === trouble), {
      within: 30_000, what: `each replica says of the bus: ${trouble || 'nothing'}`,
    });
  }

  it('a bus that refuses everything is not up, and fills no log', async () => {
    const made = await create();
    await told(acme);
    const exporter = accountOf(bus.access.credentials);
    const held = (await lookUpAccount(system(), exporter, 5_000))!;
    await using liar = await lyingBus();
    let refusals = 0;
    liar.lie({
      answers: (subject) => {
        if (subject.endsWith('.CLAIMS.LOOKUP')) return subject.includes(exporter) ? held : '';
        if (subject === '$SYS.REQ.CLAIMS.UPDATE') refusals += 1;
        const answer = { statsz: { active_servers: 1 }, server: { name: 'liar' }, error: { description: 'not today' } };
        return JSON.stringify(answer);
      },
    });
    try {
      bus.proxy.divert(liar.address);
      expect(await reasonOf(revoke(made.id))).toBe('UNAVAILABLE');
      await untilTrouble('The bus server liar refused the request: not today');
      const { text } = await http(`http://${replicas()[0]!.addresses['admin']}`).get('/metrics');
      expect(text).toMatch(/^bus_up\{.*\} 0$/m);
      const saidBefore = lines('the message bus refuses');
      refusals = 0;
      await until(() => refusals >= 20, { within: 30_000, what: 'it has refused often' });
      expect(lines('the message bus refuses') - saidBefore).toBeLessThan(10);
    } finally {
      await bus.proxy.release();
    }
    await untilTrouble('');
    await told(acme);
    await expect(connectAs(made)).rejects.toMatchObject(refused);
  }, 120_000);

  it('what goes wrong with PostgreSQL is no trouble of the bus', async () => {
    await create('other');
    await told(other);
    await untilTrouble('');
    const saidBefore = lines('cannot reach the message bus');
    const failedBefore = lines('background work failed', 'bus-accounts');
    await platform.database.execute(sql`
      create function fail() returns trigger language plpgsql as $$ begin raise exception 'not today'; end $$`);
    await platform.database.execute(sql`
      create trigger fail before update on bus_account for each row
        when (new.told_revision > old.told_revision) execute function fail()`);
    try {
      await platform.database.execute(sql`update bus_account set revision = revision + 1 where organization_id = ${other}`);
      await until(() => lines('background work failed', 'bus-accounts') > failedBefore, {
        within: 15_000, what: 'the log names it',
      });
      await untilTrouble('');
      expect(lines('cannot reach the message bus')).toBe(saidBefore);
    } finally {
      await platform.database.execute(sql`drop function fail() cascade`);
    }
    await told(other);
  }, 120_000);
});

describe('a restart of the bus', () => {
  it('forgets neither who was revoked nor who was not', async () => {
    const [goes, stays] = [await create(), await create()];
    await revoke(goes.id);
    await bus.stop();
    await bus.start();
    await connectAs(stays);
    await expect(connectAs(goes)).rejects.toMatchObject(refused);
  }, 120_000);

  it('that lost its accounts gets all of them again at once, though none has changed', async () => {
    const [goes, stays] = [await create(), await create()];
    await revoke(goes.id);
    await bus.stop();
    await bus.forget();
    await bus.start();
    await until(async () => connectAs(stays).then(() => true), { within: 15_000, what: 'it is admitted again' });
    await expect(connectAs(goes)).rejects.toMatchObject(refused);
    const platformSide = await connectAs({ creds: bus.access.credentials });
    const heard: string[] = [];
    await platformSide.subscribe('arrivals.>', ({ text }) => heard.push(text));
    await until(
      async () => {
        const member = await connectAs(stays);
        await member.publish(eventOf(stays), 'again');
        return heard.includes('again');
      },
      { within: 30_000, what: 'events cross again' },
    );
  }, 180_000);

  it('that lost more accounts than one page gets all of them without a pause between pages', async () => {
    // A page has 100 accounts; the accounts of earlier cases count, too.
    await Promise.all(Array.from({ length: 10 }, async (_, lane) => {
      // Concurrent creations by one owner can fail with CONFLICT, so each lane has its own owner.
      const founder = await platform.user();
      for (let made = 0; made < 10; made += 1) {
        const { username } = await platform.organization(founder, { username: `page-${lane}-${made}` });
        await create(username);
      }
    }));
    await platform.database.execute(sql`update bus_account set told_revision = 0`);
    await until(
      async () => (await platform.database.query(sql`
        select from bus_account where told_revision < revision`)).length === 0,
      { within: 12_000, what: 'the servers have all accounts' },
    );
  }, 180_000);
});
