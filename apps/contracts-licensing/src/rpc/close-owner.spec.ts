import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type Database, sql } from '@platform/postgres';
import { Fault } from '@platform/rpc';
import { Secret } from '@platform/service';
import { startService, testDatabase, testSecret, until } from '@platform/testing';
import { call, type ContractsClient, contractsClient } from '../spec-client.ts';

const credential = new Secret(testSecret());
/** Nobody listens there: this service needs no other to answer. */
const nobody = '127.0.0.1:9';
let contracts: ContractsClient;
let rows: Database;

beforeAll(async () => {
  const database = await testDatabase('contracts-licensing');
  const service = await startService('contracts-licensing', {
    ...database.settings,
    'secrets.serviceCredential': credential.reveal(),
    'services.orgsTeams': nobody,
    'services.authz': nobody,
  }, { replicas: 2 });
  contracts = await contractsClient(service.addressList('grpc'), credential);
  rows = connect({ url: database.url, schema: database.schema, applicationName: 'spec' });
});
afterAll(async () => {
  await contracts[Symbol.asyncDispose]();
  await rows[Symbol.asyncDispose]();
});

const contract = (ownerId: number) => ({ idempotencyKey: randomUUID(), ownerId, name: 'Basic' });
const put = (...ownerIds: number[]) => contracts.putContracts({ contracts: ownerIds.map(contract) }, call());

/** Waits until somebody waits for an owner's lock. */
function lockWait(): Promise<number> {
  const waiting = sql<{ waiting: number }>`
    select count(*) as waiting from pg_locks where locktype = 'advisory' and not granted`;
  return until(async () => (await rows.one(waiting)).waiting, { what: 'a lock is waited for' });
}

describe('CloseOwner', () => {
  it('counts what the owner has, and lets nothing be added', async () => {
    await put(51, 51, 52);
    await expect(contracts.closeOwner({ ownerId: 51 }, call())).resolves.toEqual({ held: 2 });
    await expect(put(51)).rejects.toMatchObject({ reason: 'CONFLICT', metadata: { closedOwners: '51' } });
    await expect(contracts.closeOwner({ ownerId: 51 }, call())).resolves.toEqual({ held: 2 });
  });

  it('closes an owner that has nothing, and nobody else', async () => {
    await expect(contracts.closeOwner({ ownerId: 53 }, call())).resolves.toEqual({ held: 0 });
    // An owner of the same lock.
    await expect(put(53 + 64)).resolves.toMatchObject({ contracts: [{ ownerId: 53 + 64 }] });
  });

  it('waits for what is being added, and counts it', async () => {
    const { promise: added, resolve: add } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const adding = rows.transact(async (transaction) => {
      await transaction.execute(sql`insert into contract (owner_id, name) values (54, 'Basic')`);
      add();
      await released;
    });
    await added;
    const closing = contracts.closeOwner({ ownerId: 54 }, call());
    await lockWait();
    release();
    await adding;
    await expect(closing).resolves.toEqual({ held: 1 });
  });

  it('makes what is added meanwhile wait, and refuses it', async () => {
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const closing = rows.transact(async (transaction) => {
      await transaction.execute(sql`select lock_owner_alone(55)`);
      await transaction.execute(sql`insert into closed_owner (owner_id) values (55)`);
      close();
      await released;
    });
    await closed;
    const adding = put(55).catch((error: unknown) => error);
    await lockWait();
    release();
    await closing;
    await expect(adding).resolves.toMatchObject({ reason: 'CONFLICT', metadata: { closedOwners: '55' } });
  });

  it('holds for changes by hand too', async () => {
    await contracts.closeOwner({ ownerId: 56 }, call());
    const refused = { constraint: 'contract_owner_open' };
    const insert = rows.execute(sql`insert into contract (owner_id, name) values (56, 'Basic')`);
    await expect(insert).rejects.toMatchObject(refused);
    const { contracts: [other] } = await put(57);
    const update = rows.execute(sql`update contract set owner_id = 56 where id = ${other!.id}`);
    await expect(update).rejects.toMatchObject(refused);
    // With an older snapshot the closed owner could not be seen.
    const insertOther = sql`insert into contract (owner_id, name) values (57, 'Basic')`;
    const late = rows.transact((transaction) => transaction.execute(insertOther), { isolation: 'repeatable read' });
    await expect(late).rejects.toMatchObject({ code: '25000' });
  });

  it('sees each contract that was added or moved at the same time, or it was refused: 200 times', async () => {
    const { contracts: elsewhere } = await put(...Array.from({ length: 400 }, () => 9_999));
    let counted = 0;
    let refused = 0;

    async function race(round: number): Promise<void> {
      const ownerId = 10_000 + round;
      const move = (index: number) => () => contracts.moveContract({ id: elsewhere[index]!.id, ownerId }, call());
      const writes = [() => put(ownerId), move(2 * round), () => put(ownerId), move(2 * round + 1)];
      // The close begins before, between or after the writes, which all run at the same time.
      const place = round % (writes.length + 1);
      const begin = (write: () => Promise<unknown>) => write().then(() => true, refusal);
      const before = writes.slice(0, place).map(begin);
      const closing = contracts.closeOwner({ ownerId }, call());
      const after = writes.slice(place).map(begin);
      const done = await Promise.all([...before, ...after]);
      const added = done.filter((isAdded) => isAdded).length;
      expect({ round, ...(await closing) }).toEqual({ round, held: added });
      counted += added;
      refused += done.length - added;
    }

    const lanes = 4;
    await Promise.all(Array.from({ length: lanes }, async (_, lane) => {
      for (let round = lane; round < 200; round += lanes) await race(round);
    }));
    expect(counted + refused).toBe(800);
    expect(counted).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  }, 60_000);

  it.each(['closeOwner', 'reopenOwner'] as const)('and ReopenOwner refuse ids below 1 (%s)', async (method) => {
    for (const ownerId of [0, -1]) {
      await expect(contracts[method]({ ownerId }, call())).rejects.toMatchObject({
        reason: 'INVALID_VALUE',
        violations: [{ path: 'ownerId' }],
      });
    }
  });
});

describe('ReopenOwner', () => {
  it('lets contracts be added again, and may be repeated', async () => {
    await contracts.closeOwner({ ownerId: 61 }, call());
    await expect(contracts.reopenOwner({ ownerId: 61 }, call())).resolves.toEqual({});
    await expect(contracts.reopenOwner({ ownerId: 61 }, call())).resolves.toEqual({});
    await put(61);
    await expect(contracts.closeOwner({ ownerId: 61 }, call())).resolves.toEqual({ held: 1 });
  });

  it('waits for a close under way', async () => {
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const closing = rows.transact(async (transaction) => {
      await transaction.execute(sql`select lock_owner_alone(62)`);
      close();
      await released;
      await transaction.execute(sql`insert into closed_owner (owner_id) values (62)`);
    });
    await closed;
    const reopening = contracts.reopenOwner({ ownerId: 62 }, call());
    await lockWait();
    release();
    await Promise.all([closing, reopening]);
    await expect(put(62)).resolves.toMatchObject({ contracts: [{ ownerId: 62 }] });
  });
});

/** A write may only be refused because the owner is closed. */
function refusal(error: unknown): false {
  if (error instanceof Fault && error.metadata['closedOwners'] !== undefined) return false;
  throw error;
}
