import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addJobs, runNow } from '@platform/jobs';
import { connect, type Database, sql, type Statement } from '@platform/postgres';
import { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { ClientOrganizationAdminServiceService } from '@platform/proto/orgs/v1/client_organization';
import {
  as, freePort, http, rpcClient, type StartedService, startService, testDatabase, testSecret, tcpProxy, until,
} from '@platform/testing';
import { operator, reasonOf, startPlatform, type TestPlatform, type TestUser } from '../fixtures/platform.ts';

let platform: TestPlatform;
let clusters: StartedService;
let clusterRows: Database;
let contracts: StartedService;
let contractRows: Database;
/** A replica that reaches clusters, and is not killed. */
let steady: SlowReplica;
beforeAll(async () => {
  // The first replica also reopens accounts. So it needs the addresses of the other services before they start.
  const [listen, contractsListen] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  platform = await startPlatform({
    ownProcess: 'killed',
    settings: { 'services.clusters': listen, 'services.contractsLicensing': contractsListen },
  });
  const database = await testDatabase('clusters');
  clusters = await startService('clusters', {
    ...database.settings,
    'grpc.listen': listen,
    'secrets.serviceCredential': platform.serviceCredential,
    'services.orgsTeams': platform.service.addressList('grpc'),
    'services.authz': platform.authz.addressList('grpc'),
    'services.contractsLicensing': contractsListen,
    'secrets.encryptionKeys': testSecret(),
  });
  clusterRows = connect({
    url: database.url, schema: database.schema, applicationName: 'spec', maxConnections: 5,
  });
  const contractsDatabase = await testDatabase('contracts-licensing');
  contracts = await startService('contracts-licensing', {
    ...contractsDatabase.settings,
    'grpc.listen': contractsListen,
    'secrets.serviceCredential': platform.serviceCredential,
    'services.orgsTeams': platform.service.addressList('grpc'),
    'services.authz': platform.authz.addressList('grpc'),
    'secrets.encryptionKeys': testSecret(),
  });
  contractRows = connect({
    url: contractsDatabase.url, schema: contractsDatabase.schema, applicationName: 'spec', maxConnections: 1,
  });
  steady = await replicaThrough(clusters.addressList('grpc'));
}, 90_000);
afterAll(async () => {
  await contractRows[Symbol.asyncDispose]();
  await clusterRows[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

/** A replica of orgs-teams that reaches clusters at this address. */
async function replicaThrough(address: string) {
  const replica = await platform.startAnother({ 'services.clusters': address });
  const internal = { serviceCredential: platform.serviceCredential };
  const [admin, clients] = await Promise.all([
    rpcClient(AdminServiceService, replica, internal),
    rpcClient(ClientOrganizationAdminServiceService, replica, internal),
  ]);
  const remove = ({ name }: TestUser) =>
    reasonOf(admin.deleteUser({ username: name, leaveOrganizations: false }, as(undefined, 20_000)));
  return { replica, remove, clients };
}

async function owners() {
  return rpcClient(ClusterOwnerServiceService, clusters, { serviceCredential: platform.serviceCredential });
}

/** Gives a cluster to an account; returns `OK` or the reason of the refusal. */
async function give(ownerId: number): Promise<string> {
  const cluster = { uid: randomUUID(), ownerId, name: `lab-${randomUUID()}`, displayName: '' };
  return reasonOf((await owners()).putClusters({ clusters: [cluster] }, operator()));
}

/** Gives a contract to an account. The deletion of a client organization does not delete contracts. */
async function giveContract(ownerId: number): Promise<void> {
  const client = await rpcClient(ContractOwnerServiceService, contracts, { serviceCredential: platform.serviceCredential });
  await client.putContracts({
    contracts: [{ idempotencyKey: randomUUID(), ownerId, name: 'yearly', clusters: [] }],
  }, operator());
}

/** Number of calls of an owner method that clusters has answered. */
async function answered(method: 'CloseOwner' | 'ReopenOwner'): Promise<number> {
  const { text } = await http(`http://${clusters.addresses['admin']!}`).get('/metrics');
  const counts = text.matchAll(new RegExp(`^rpc_server_requests_total\\{.*OwnerService\\.${method}.*\\} (\\d+)$`, 'gm'));
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

async function untilAnswered(method: 'CloseOwner' | 'ReopenOwner', before: number): Promise<void> {
  await until(async () => (await answered(method)) > before, { what: `a further ${method} is answered` });
}

async function clientOrganization(clients: SlowReplica['clients']): Promise<number> {
  const owner = await platform.user();
  const { id } = await clients.createClientOrganization({
    creation: randomUUID(), name: `client-of-${owner.name}`, fullName: '', description: '', website: '', location: '',
    visibility: 'private', managerEndpoint: '', owner: owner.name, email: '',
  }, operator());
  return id;
}

/** Makes a deletion look abandoned, as if its process had crashed two minutes ago. */
async function abandon({ id }: { readonly id: number }): Promise<void> {
  await platform.database.execute(sql`
    update account set closing_at = closing_at - interval '2 minutes' where id = ${id}`);
}

/** Lets the loop over abandoned deletions run now, and waits until it has reopened the account. */
async function untilReopened({ id }: { readonly id: number }): Promise<void> {
  await addJobs(platform.database, [runNow('reopen-accounts')]);
  await until(async () => (await give(id)) === 'OK', { within: 60_000, what: 'the loop reopens the account' });
}

describe('deletions of one account that overlap (authorization.md W5)', () => {
  it('leave it open when the first arrives after the second was given up, and its replica is killed', async () => {
    const link = await tcpProxy(clusters.addressList('grpc'));
    const slow = await replicaThrough(link.address);
    // This deletion opens the connection of `slow` to clusters.
    expect(await slow.remove(await platform.user())).toBe('OK');
    const user = await platform.user();
    expect(await give(user.id)).toBe('OK');

    link.hold();
    const sent = link.bytes.fromClients;
    const late = slow.remove(user).catch(() => 'lost');
    await until(() => link.bytes.fromClients > sent, { what: 'CloseOwner is on its way' });
    const [{ pid }] = slow.replica.replicas;
    process.kill(pid, 'SIGSTOP');
    await abandon(user);
    expect(await steady.remove(user)).toBe('ORG_IN_USE');
    const before = await answered('CloseOwner');
    await link.release();
    await untilAnswered('CloseOwner', before);
    await slow.replica.replicas[0].kill();
    await late;

    expect(await give(user.id)).toBe('OK');
    expect(await steady.remove(user)).toBe('ORG_IN_USE');
  }, 90_000);

  it('of a client organization have one outcome, however late a call is', async () => {
    const { clients } = steady;
    const id = await clientOrganization(clients);
    const close = (deletion: string) => reasonOf(clients.closeClientOrganization({ id, deletion }, operator()));
    const isOpen = async () => (await give(id)) === 'OK';

    // Only contracts can block a deletion. Here there are none, so each deletion is certain at once, under any name.
    expect(await Promise.all([close('first'), close('first'), close('first')])).toEqual(['OK', 'OK', 'OK']);
    expect(await isOpen()).toBe(false);
    // Set the state that a refused deletion leaves. Late calls of the deletion are refused, too, and close nothing.
    await platform.database.execute(sql`
      update organization set deletion_outcome = 'refused', deleting_at = null where id = ${id}`);
    await clusterRows.execute(sql`delete from closed_owner where owner_id = ${id}`);
    expect(await close('first')).toBe('ORG_IN_USE');
    expect(await isOpen()).toBe(true);
    expect(await close('second')).toBe('OK');
    expect([await close('first'), await isOpen()]).toEqual(['OK', false]);
    // The last step of the deletion fails, because the cluster still exists; the account stays closed.
    expect(await reasonOf(clients.deleteClientOrganization({ id }, operator()))).toBe('ORG_IN_USE');
    expect(await isOpen()).toBe(false);
  }, 60_000);
});

/** Runs a statement in a transaction, and holds its locks until `release` is called. */
async function holdLock(database: Database, statement: Statement): Promise<{ release(): Promise<void> }> {
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  const { promise: freed, resolve: free } = Promise.withResolvers<void>();
  const holding = database.transact(async (transaction) => {
    await transaction.execute(statement);
    hold();
    await freed;
  });
  await Promise.race([held, holding]);
  return {
    release: async () => {
      free();
      await holding;
    },
  };
}

/** Blocks calls about an account at clusters; calls that arrive wait. */
const holdOwner = ({ id }: { readonly id: number }) => holdLock(clusterRows, sql`select lock_owner_alone(${id})`);

/** Blocks every step of a deletion that changes rows of orgs-teams. */
const holdDeletions = () => holdLock(platform.database, sql`lock table organization in access exclusive mode`);

/** Waits until this many calls about accounts wait at clusters. */
async function inLine(count: number): Promise<void> {
  const waiting = sql<{ waiting: number }>`
    select count(*) as waiting from pg_locks join pg_database on pg_database.oid = database
     where datname = current_database() and locktype = 'advisory' and not granted
       and classid = 'closed_owner'::regclass::oid`;
  await until(async () => (await clusterRows.one(waiting)).waiting === count, { what: `${count} calls stand in line` });
}

/** Acts like another replica that has taken over the deletion and has cancelled it. */
async function takeOver({ id }: { readonly id: number }): Promise<void> {
  await platform.database.execute(sql`
    update account set closing_at = null, closing_mark = closing_mark + 1 where id = ${id}`);
}

/**
 * Lets a cancelled deletion send its call of ReopenOwner, and holds this call on the way to clusters. By then, clusters
 * has closed the account. Then stops the process of the replica that sent the call.
 * @param end end of the last SQL statement before the call of ReopenOwner
 */
async function reopenOnItsWay(
  account: { readonly id: number }, begin: (slow: SlowReplica) => Promise<unknown>,
  end = 'select id from organization where id = $1 and deleting_at is not null',
) {
  const link = await tcpProxy(clusters.addressList('grpc'));
  const slow = await replicaThrough(link.address);
  const atClusters = await holdOwner(account);
  const late = begin(slow).catch(() => 'lost');
  await inLine(1);
  const inRows = await holdDeletions();
  await atClusters.release();
  const waiting = sql<{ waiting: number }>`
    select count(*) as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'
       and position(${end} in query) > 0`;
  await until(async () => (await platform.database.one(waiting)).waiting > 0, { what: 'the deletion is given up' });
  link.hold();
  const sent = link.bytes.fromClients;
  await inRows.release();
  await until(() => link.bytes.fromClients > sent, { what: 'ReopenOwner is on its way' });
  const [replica] = slow.replica.replicas;
  process.kill(replica.pid, 'SIGSTOP');
  return {
    release: () => link.release(),
    /** Ends the slow replica's pause: it continues or is killed. */
    end: async (how: 'goes on' | 'is killed') => {
      if (how === 'is killed') return void (await replica.kill());
      process.kill(replica.pid, 'SIGCONT');
      await late;
      await replica.stop();
    },
  };
}

type SlowReplica = Awaited<ReturnType<typeof replicaThrough>>;

describe('a ReopenOwner that is late (authorization.md W5)', () => {
  it.each([
    ['is carried out before the CloseOwner of the next deletion', 'first', 'goes on'],
    ['is carried out before it, and its replica is killed', 'first', 'is killed'],
    ['stands in line behind it', 'second', 'goes on'],
    ['stands in line behind it, and its replica is killed', 'second', 'is killed'],
    ['arrives while the next deletion runs', 'later', 'goes on'],
    ['arrives while the next deletion runs, and its replica is killed', 'later', 'is killed'],
  ] as const)('%s: the account is closed until the next deletion has ended', async (_, place, end) => {
    const quick = await replicaThrough(clusters.addressList('grpc'));
    for (const next of ['succeeds', 'is killed'] as const) {
      const user = await platform.user();
      expect(await give(user.id)).toBe('OK');
      const late = await reopenOnItsWay(user, (slow) => slow.remove(user));
      // Remove the cluster that blocked the first deletion.
      await clusterRows.execute(sql`delete from cluster where owner_id = ${user.id}`);
      await takeOver(user);

      const [closes, reopens] = [await answered('CloseOwner'), await answered('ReopenOwner')];
      const atClusters = await holdOwner(user);
      if (place === 'first') {
        await late.release();
        await inLine(1);
      }
      const removed = quick.remove(user).catch(() => 'lost');
      await inLine(place === 'first' ? 2 : 1);
      if (place === 'second') {
        await late.release();
        await inLine(2);
      }
      const inRows = await holdDeletions();
      await atClusters.release();
      await untilAnswered('CloseOwner', closes);
      if (place === 'later') await late.release();
      await untilAnswered('ReopenOwner', reopens);

      expect(await give(user.id)).toBe('CONFLICT');
      const account = sql<{ id: number }>`select id from account where id = ${user.id} and closing_at is not null`;
      expect(await platform.database.maybeOne(account)).toBeDefined();
      if (next === 'succeeds') {
        await inRows.release();
        expect(await removed).toBe('OK');
        expect(await give(user.id)).toBe('CONFLICT');
      } else {
        await quick.replica.replicas[0].kill();
        await inRows.release();
        expect(await removed).not.toBe('OK');
        expect(await give(user.id)).toBe('CONFLICT');
        await abandon(user);
        await untilReopened(user);
      }
      await late.end(end);
      expect(await give(user.id)).toBe(next === 'succeeds' ? 'CONFLICT' : 'OK');
    }
  }, 180_000);

  it.each([
    ['is carried out before the CloseOwner of the next deletion', 'first', 'goes on'],
    ['is carried out before it, and its replica is killed', 'first', 'is killed'],
    ['stands in line behind it', 'second', 'goes on'],
    ['stands in line behind it, and its replica is killed', 'second', 'is killed'],
    ['arrives when the next deletion is certain', 'later', 'goes on'],
    ['arrives when the next deletion is certain, and its replica is killed', 'later', 'is killed'],
  ] as const)('of a refused deletion of a client organization %s: it stays closed', async (_, place, end) => {
    const { clients } = steady;
    const id = await clientOrganization(clients);
    const close = (by: typeof clients, deletion: string) =>
      reasonOf(by.closeClientOrganization({ id, deletion }, as(undefined, 30_000)));
    expect(await give(id)).toBe('OK');
    await giveContract(id);
    const late = await reopenOnItsWay({ id }, (slow) => close(slow.clients, 'first'), 'set deletion_outcome = $1');
    // Remove the contract that blocked the first deletion.
    await contractRows.execute(sql`delete from contract where owner_id = ${id}`);

    const reopens = await answered('ReopenOwner');
    const atClusters = await holdOwner({ id });
    if (place === 'first') {
      await late.release();
      await inLine(1);
    }
    const closed = close(clients, 'second');
    await inLine(place === 'first' ? 2 : 1);
    if (place === 'second') {
      await late.release();
      await inLine(2);
    }
    await atClusters.release();
    expect(await closed).toBe('OK');
    if (place === 'later') await late.release();
    await untilAnswered('ReopenOwner', reopens);

    expect(await give(id)).toBe('CONFLICT');
    await late.end(end);
    expect([await close(clients, 'second'), await give(id)]).toEqual(['OK', 'CONFLICT']);
    // The first deletion has left no mark with which the loop would reopen the account.
    expect(await platform.database.maybeOne(sql<{ id: number }>`
      select id from account where id = ${id} and closing_at is not null`)).toBeUndefined();
  }, 90_000);

  it('of a refused deletion of a client organization opens it once the loop has taken over the deletion', async () => {
    const { clients } = steady;
    const id = await clientOrganization(clients);
    await giveContract(id);
    const late = await reopenOnItsWay(
      { id }, ({ clients: slow }) => slow.closeClientOrganization({ id, deletion: 'first' }, as(undefined, 30_000)),
      'set deletion_outcome = $1',
    );
    await abandon({ id });
    await untilReopened({ id });
    const reopens = await answered('ReopenOwner');
    await late.release();
    await untilAnswered('ReopenOwner', reopens);
    await late.end('goes on');
    expect(await give(id)).toBe('OK');
    expect(await reasonOf(clients.closeClientOrganization({ id, deletion: 'first' }, operator()))).toBe('ORG_IN_USE');
    expect(await give(id)).toBe('OK');
  }, 120_000);
});
