import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { testDatabase } from '@platform/testing';
import type { TestDatabase } from '@platform/testing';
import { connect } from './connect.ts';
import type { Database, Transaction } from './database.ts';
import { TransactionConflict, UniqueViolation } from './errors.ts';
import { sql } from './sql.ts';

let place: TestDatabase;
let database: Database;

beforeAll(async () => {
  place = await testDatabase('postgres-spec');
  database = connect({ url: place.url, schema: place.schema, applicationName: 'spec' });
  await database.execute(sql`create table counter (id int8 primary key, value int8 not null)`);
});

beforeEach(async () => {
  await database.execute(sql`delete from counter`);
  await database.execute(sql`insert into counter values (1, 0), (2, 0)`);
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

const bump = (transaction: Transaction, id: number): Promise<number> =>
  transaction.execute(sql`update counter set value = value + 1 where id = ${id}`);
const values = (): Promise<{ value: number }[]> => database.query(sql`select value from counter order by id`);

/** Resolves for all callers when the expected number of them has arrived. */
function meeting(expected: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let come = 0;
  return () => {
    if ((come += 1) === expected) resolve();
    return promise;
  };
}

describe('transact', () => {
  it('commits what returns, with its result', async () => {
    expect(await database.transact(async (transaction) => bump(transaction, 1))).toBe(1);
    expect(await values()).toEqual([{ value: 1 }, { value: 0 }]);
  });

  it('rolls back what throws, and throws the same', async () => {
    const refusal = new RangeError('no');
    const work = database.transact(async (transaction) => {
      await bump(transaction, 1);
      throw refusal;
    });
    await expect(work).rejects.toBe(refusal);
    expect(await values()).toEqual([{ value: 0 }, { value: 0 }]);
    expect(database.pool.idle).toBe(database.pool.open);
  });

  it('does not report as done what a hidden error has undone', async () => {
    const work = database.transact(async (transaction) => {
      await bump(transaction, 1);
      await transaction.execute(sql`insert into counter values (1, 5)`).catch(() => undefined);
    });
    await expect(work).rejects.toThrow(UniqueViolation);
    expect(await values()).toEqual([{ value: 0 }, { value: 0 }]);
  });

  it('keeps the statements of a transaction in order, also when asked for at once', async () => {
    await database.transact(async (transaction) => {
      await Promise.all([bump(transaction, 1), bump(transaction, 1), bump(transaction, 2)]);
    });
    expect(await values()).toEqual([{ value: 2 }, { value: 1 }]);
  });

  it('takes no statement after its end', async () => {
    const kept = await database.transact(async (transaction) => transaction);
    await expect(kept.query(sql`select 1`)).rejects.toThrow(TypeError);
  });

  it('refuses writes in a read-only transaction, and keeps a snapshot where asked', async () => {
    await expect(database.transact((transaction) => bump(transaction, 1), { readOnly: true })).rejects.toThrow();
    await database.transact(
      async (transaction) => {
        const read = () => transaction.one(sql`select value from counter where id = 1`);
        expect(await read()).toEqual({ value: 0 });
        await database.execute(sql`update counter set value = 9 where id = 1`);
        expect(await read()).toEqual({ value: 0 });
      },
      { isolation: 'repeatable read', readOnly: true },
    );
  });

  it('runs deadlocks again: both commit', async () => {
    const both = meeting(2);
    const attempts: number[] = [];
    const cross = (first: number, second: number): Promise<void> =>
      database.transact(async (transaction) => {
        attempts.push(transaction.attempt);
        await bump(transaction, first);
        if (transaction.attempt === 1) await both();
        await bump(transaction, second);
      });
    await Promise.all([cross(1, 2), cross(2, 1)]);
    expect(await values()).toEqual([{ value: 2 }, { value: 2 }]);
    expect(attempts.toSorted()).toEqual([1, 1, 2]);
  });

  it('runs serialization failures again, each time on a new snapshot', async () => {
    const both = meeting(2);
    const add = (): Promise<void> =>
      database.transact(
        async (transaction) => {
          const { value } = await transaction.one<{ value: number }>(sql`select value from counter where id = 1`);
          if (transaction.attempt === 1) await both();
          await transaction.execute(sql`update counter set value = ${value + 1} where id = 1`);
        },
        { isolation: 'serializable' },
      );
    await Promise.all([add(), add()]);
    expect(await values()).toEqual([{ value: 2 }, { value: 0 }]);
  });

  it('gives up after three attempts with a conflict', async () => {
    const attempts: number[] = [];
    const work = database.transact(
      async (transaction) => {
        attempts.push(transaction.attempt);
        await transaction.query(sql`select value from counter where id = 1`);
        await database.execute(sql`update counter set value = value + 1 where id = 1`);
        await bump(transaction, 1);
      },
      { isolation: 'repeatable read' },
    );
    await expect(work).rejects.toMatchObject({ constructor: TransactionConflict, code: '40001' });
    expect(attempts).toEqual([1, 2, 3]);
    expect(database.pool.idle).toBe(database.pool.open);
  });

  it('runs again even if the work gives the conflict another name', async () => {
    let runs = 0;
    await database.transact(
      async (transaction) => {
        runs += 1;
        await transaction.query(sql`select value from counter where id = 1`);
        if (runs === 1) await database.execute(sql`update counter set value = value + 1 where id = 1`);
        await bump(transaction, 1).catch(() => Promise.reject(new RangeError('hidden')));
      },
      { isolation: 'repeatable read' },
    );
    expect(runs).toBe(2);
  });
});
