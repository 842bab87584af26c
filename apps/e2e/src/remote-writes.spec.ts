import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Fault, notFound } from '@platform/faults';
import { connect, type Database, sql } from '@platform/postgres';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { readImage } from '@platform/proto/image';
import { OrganizationServiceService } from '@platform/proto/orgs/v1/organization';
import { createGuard, implement, remoteSources, type RpcClient, startRpcServer } from '@platform/rpc';
import { Secret, silentLogger } from '@platform/service';
import { readSurface } from '@platform/surface';
import { as, rpcClient, until } from '@platform/testing';
import { createLocks, createWrite, remoteAdmission } from '@platform/writes';
import { type PeopledOrganization, type Person, startWorld, type World } from './orgs/world.ts';
import { organizationHosts } from './platform.ts';

// Tests a service other than orgs-teams that writes for its callers (authorization.md R2, R6), while rights and objects
// change before the write. The service runs in this process, works on the rows of `clusters` and uses the usual guard.
// Its only method, served as CheckOwner, appends `-x` to the name of a cluster of the organization.

const checkOwner = { checkOwner: OrganizationServiceService.checkOwner };

const stack = new AsyncDisposableStack();
let world: World, database: Database;
let service: RpcClient<typeof checkOwner>;
let clusters: RpcClient<typeof ClusterOwnerServiceService>;
/** The cluster that the method changes. */
let clusterId: number;
/** Awaited by the method before it writes; `calls` counts its calls. */
let before: () => Promise<unknown>;
let calls = 0;

beforeAll(async () => {
  world = stack.use(await startWorld({ hosts: [...organizationHosts, 'clusters', 'contracts-licensing'] }));
  const { serviceCredential: credential, databases, grpc } = world.platform;
  const serviceCredential = new Secret(credential);
  database = stack.use(connect({ ...databases.clusters, applicationName: 'remote writes', maxConnections: 5 }));
  const whole = readSurface(await readImage());
  const methods = whole.methods.filter(({ path }) => path === checkOwner.checkOwner.path)
    .map((method) => ({ ...method, hosts: ['clusters'] }));
  const surface = { ...whole, methods, byPath: new Map(methods.map((method) => [method.path, method])) };
  const sources = stack.use(remoteSources({
    surface: whole, serviceCredential, objects: {},
    orgsTeams: grpc['orgs-teams'].split(','), authz: grpc.authz.split(','),
  }));
  const guard = createGuard(sources, {
    deployment: { type: 'Hosted', runMode: 'dev', billing: 'auto' }, serviceCredentials: [serviceCredential],
  });
  const write = createWrite({ database, locks: createLocks(['cluster']), admission: remoteAdmission(guard) });
  const server = stack.use(await startRpcServer({
    surface, host: 'clusters', guard, listen: '127.0.0.1:0', log: silentLogger,
    services: [implement(checkOwner, {
      checkOwner: async (_request, context) => {
        calls += 1;
        const ownerId = context.account.id;
        const found = await database.maybeOne(sql`select from cluster where id = ${clusterId} and owner_id = ${ownerId}`);
        if (found === undefined) throw notFound('cluster not found');
        await before();
        const change = sql`update cluster set name = name || '-x' where id = ${clusterId} and owner_id = ${ownerId}`;
        const locked = { table: 'cluster', key: clusterId, mode: 'for no key update', ownerId } as const;
        await write(context, [locked], (work) => work.execute(change));
        return {};
      },
    })],
  }));
  service = await rpcClient(checkOwner, [server.address]);
  const direct = { serviceCredential: credential };
  clusters = await rpcClient(ClusterOwnerServiceService, grpc.clusters.split(','), direct);
}, 120_000);
afterAll(() => stack.disposeAsync());

/** An organization with two owners and a cluster. */
async function owned(): Promise<PeopledOrganization & { other: Person }> {
  const made = await world.organizationWith(1);
  const [other] = made.people as [Person];
  await world.join(made.boss, made.organization.teams.Owners, other);
  const { clusters: [cluster] } = await clusters.putClusters({
    clusters: [{ uid: randomUUID(), ownerId: made.organization.id, name: 'moving', displayName: '' }],
  }, as(undefined));
  clusterId = cluster!.id;
  before = async () => undefined;
  calls = 0;
  return { ...made, other };
}

/** The outcome of the method: `OK`, or the reason of the refusal. */
function call({ token }: Person, { username }: { username: string }): Promise<string> {
  return service.checkOwner({ orgname: username }, as(token)).then(() => 'OK', (error: unknown) => {
    if (error instanceof Fault) return error.reason;
    throw error;
  });
}

const nameOfCluster = async () => (await database.one(sql<{ name: string }>`
  select name from cluster where id = ${clusterId}`)).name;

/** Holds the row of the cluster until released. */
async function holdCluster() {
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = database.transact(async (transaction) => {
    await transaction.query(sql`select from cluster where id = ${clusterId} for update`);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  return async () => {
    release.resolve();
    await done;
  };
}

const waiting = (count: number) => until(async () => (await database.query(sql`
  select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)).length >= count, {
  what: `${count} wait for the row`,
});

/** Removes the other owner, and waits until standings are old. */
async function removeOwner({ boss, organization, other }: Awaited<ReturnType<typeof owned>>): Promise<void> {
  await boss.http.delete(`/api/v1/teams/${organization.teams.Owners}/members/${other.username}`);
  await standingsAreOld();
}

/** Waits until a standing that was read before is older than R6 permits. */
async function standingsAreOld(): Promise<void> {
  const now = performance.now();
  await until(() => performance.now() - now > 1_020, { what: 'standings are old' });
}

describe('a write that waits', () => {
  it('is done once when nothing has moved', async () => {
    const { boss, organization } = await owned();
    before = standingsAreOld;
    expect(await call(boss, organization)).toBe('OK');
    expect({ name: await nameOfCluster(), calls }).toEqual({ name: 'moving-x', calls: 1 });
  });

  it('for a dependency is not done when the caller has been removed meanwhile', async () => {
    const made = await owned();
    const { boss, other, organization } = made;
    before = async () => {
      before = async () => undefined;
      await removeOwner(made);
    };
    expect(await call(other, organization)).toBe('FORBIDDEN');
    expect(await nameOfCluster()).toBe('moving');
    expect(await call(boss, organization)).toBe('OK');
  });

  it('for a row is not done when the caller has been removed meanwhile', async () => {
    const made = await owned();
    const { other, organization } = made;
    const release = await holdCluster();
    const answer = call(other, organization);
    await waiting(1);
    await removeOwner(made);
    await release();
    // On a slow machine the wait for the row may end first; then the caller tries again.
    const first = await answer;
    expect(first === 'CONFLICT' ? await call(other, organization) : first).toBe('FORBIDDEN');
    expect(await nameOfCluster()).toBe('moving');
  });

  it('for a dependency is not done with a token that is revoked meanwhile', async () => {
    const { other, organization } = await owned();
    before = async () => {
      await world.database.execute(sql`delete from access_token where account_id = ${other.id}`);
      await standingsAreOld();
    };
    expect(await call(other, organization)).toBe('UNAUTHENTICATED');
    expect(await nameOfCluster()).toBe('moving');
  });

  it('for a row is not done when the cluster has moved to another account meanwhile', async () => {
    const { boss, organization } = await owned();
    const elsewhere = await world.organizationWith(0);
    const release = await holdCluster();
    const moving = clusters.moveCluster({ id: clusterId, ownerId: elsewhere.organization.id }, as(undefined));
    await waiting(1);
    const answer = call(boss, organization);
    await waiting(2);
    await release();
    await moving;
    expect(await answer).toBe('NOT_FOUND');
    expect({ name: await nameOfCluster(), calls }).toEqual({ name: 'moving', calls: 2 });
  });

  it('is done for the new owner when the cluster moves to the account that writes', async () => {
    const { organization } = await owned();
    const elsewhere = await world.organizationWith(0);
    await clusters.moveCluster({ id: clusterId, ownerId: elsewhere.organization.id }, as(undefined));
    expect(await call(elsewhere.boss, elsewhere.organization)).toBe('OK');
    expect(await call(elsewhere.boss, organization)).not.toBe('OK');
    expect(await nameOfCluster()).toBe('moving-x');
  });
});
