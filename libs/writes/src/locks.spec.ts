import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, sql } from '@platform/postgres';
import { AdmissionChanged } from '@platform/rpc';
import { seeded, until } from '@platform/testing';
import { locks, thing, type ThingLock, thingsDatabase, waiting } from './fixtures/things.ts';
import { ownerLocks } from './locks.ts';

let database: Database;
beforeAll(async () => {
  database = await thingsDatabase();
});
afterAll(async () => database[Symbol.asyncDispose]());

const part = (thingId: number, number: number): ThingLock => ({ table: 'part', key: [thingId, number], mode: 'for update' });
const owner = (key: number, mode: ThingLock['mode']): ThingLock => ({ table: ownerLocks, key, mode });

/** Holds locks until `release` is called. */
async function holding(wanted: readonly ThingLock[]) {
  const [taken, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = database.transact(async (transaction) => {
    await locks.take(transaction, wanted);
    taken.resolve();
    await released.promise;
  });
  await Promise.race([taken.promise, done]);
  return { release: () => (released.resolve(), done) };
}

/** Whether the locks are free. */
async function isFree(wanted: readonly ThingLock[]): Promise<boolean> {
  try {
    await database.transact((transaction) => locks.take(transaction, wanted), { lockTimeout: 1, attempts: 1 });
    return true;
  } catch {
    return false;
  }
}

describe('the order of locks (authorization.md W1)', () => {
  it('is by table, then by ascending key', () => {
    const order = locks.inOrder([part(4, 2), part(4, 1), part(3, 9), thing(10), thing(9), owner(7, 'for share')]);
    expect(order.map(({ table, key }) => `${table} ${String(key)}`)).toEqual([
      'closed_owner 7', 'thing 9', 'thing 10', 'part 3,9', 'part 4,1', 'part 4,2',
    ]);
  });

  it('has each row once, in the strongest mode asked for, with its owner', () => {
    expect(locks.inOrder([thing(5, 'for share'), thing(5), thing(5, 'for key share')])).toEqual([thing(5)]);
    expect(locks.inOrder([{ ...thing(5, 'for share'), ownerId: 3 }, thing(5)])).toEqual([{ ...thing(5), ownerId: 3 }]);
  });

  it('does not depend on the order in which they are asked for', () => {
    const wanted = [thing(1), thing(1, 'for share'), thing(2), part(1, 1), owner(2, 'for share'), thing(3, 'for update')];
    const random = seeded('locks');
    for (let round = 0; round < 50; round += 1) {
      expect(locks.inOrder(random.shuffle(wanted))).toEqual(locks.inOrder(wanted));
    }
  });
});

describe('taking locks', () => {
  it('keeps others from the rows, of each table and in each mode, until the transaction ends', async () => {
    await database.execute(sql`insert into part (thing_id, number) values (1, 1)`);
    const held = await holding([thing(1, 'for share'), thing(2), part(1, 1), owner(9, 'for update')]);
    expect(await isFree([thing(1, 'for share')])).toBe(true);
    expect(await isFree([thing(1)])).toBe(false);
    expect(await isFree([thing(2, 'for share')])).toBe(false);
    expect(await isFree([thing(2, 'for key share')])).toBe(true);
    expect(await isFree([part(1, 1)])).toBe(false);
    expect(await isFree([owner(9, 'for share')])).toBe(false);
    expect(await isFree([owner(10, 'for share')])).toBe(true);
    await held.release();
    expect(await isFree([thing(1), thing(2), part(1, 1), owner(9, 'for update')])).toBe(true);
  });

  it('waits at the first lock that is taken, and takes no later one meanwhile', async () => {
    const held = await holding([thing(3)]);
    const waits = database.transact((transaction) => locks.take(transaction, [
      thing(2, 'for share'), thing(3), thing(4, 'for share'), part(1, 1),
    ]));
    await until(() => waiting(database), { what: 'the second waits' });
    expect(await isFree([thing(2)])).toBe(false);
    expect(await isFree([thing(4)])).toBe(true);
    expect(await isFree([part(1, 1)])).toBe(true);
    await held.release();
    await waits;
  });

  it('passes over rows that do not exist', async () => {
    await database.transact((transaction) => locks.take(transaction, [{ ...thing(99), ownerId: 1 }, part(99, 1)]));
  });

  it('takes as many as there are', async () => {
    const many = Array.from({ length: 20 }, (_, index) => thing(index + 1, index % 2 === 0 ? 'for share' : 'for update'));
    const held = await holding(many);
    expect(await isFree([thing(20, 'for share')])).toBe(false);
    expect(await isFree([thing(19, 'for share')])).toBe(true);
    await held.release();
  });

  it('never deadlocks, for any locks in any order', async () => {
    const random = seeded('crosswise');
    const modes = ['for share', 'for no key update', 'for update'] as const;
    const writes = Array.from({ length: 150 }, () => Array.from({ length: 8 }, () => (
      thing(random.integer(1, 20), modes[random.integer(0, 2)]!))));
    await Promise.all(writes.map((wanted) => database.transact((transaction) => locks.take(transaction, wanted), {
      lockTimeout: 20_000,
    })));
    const { deadlocks } = await database.one(sql<{ deadlocks: number }>`
      select deadlocks from pg_stat_database where datname = current_database()`);
    expect(deadlocks).toBe(0);
  });
});

describe('a row that belongs to another account than the decision was made for (authorization.md R2)', () => {
  it('is refused under its lock', async () => {
    const take = (ownerId: number) =>
      database.transact((transaction) => locks.take(transaction, [thing(1, 'for share'), { ...thing(6), ownerId }]));
    await expect(take(1)).resolves.toBeUndefined();
    await expect(take(2)).rejects.toThrow(AdmissionChanged);
  });

  it('is refused also when it moves while the write waits for it', async () => {
    const [moved, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const moving = database.transact(async (transaction) => {
      await transaction.execute(sql`update thing set owner_id = 2 where id = 7`);
      moved.resolve();
      await commit.promise;
    });
    await moved.promise;
    const write = database.transact((transaction) => locks.take(transaction, [{ ...thing(7), ownerId: 1 }]));
    await until(() => waiting(database), { what: 'the write waits for the row' });
    commit.resolve();
    await moving;
    await expect(write).rejects.toThrow(AdmissionChanged);
  });
});
