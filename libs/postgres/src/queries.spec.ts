import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMetrics, deadlineIn, DeadlineExceeded, onBehalfOf } from '@platform/service';
import { tcpProxy, testDatabase, until } from '@platform/testing';
import type { TestDatabase } from '@platform/testing';
import { connect } from './connect.ts';
import type { Database, TransactOptions } from './database.ts';
import {
  CheckViolation,
  ForeignKeyViolation,
  PostgresUnavailable,
  TransactionConflict,
  UnexpectedRows,
  UniqueViolation,
} from './errors.ts';
import { ownSql } from './fixtures/own-sql.ts';
import { sql } from './sql.ts';

let place: TestDatabase;
let database: Database;

beforeAll(async () => {
  place = await testDatabase('postgres-spec');
  database = connect({ url: place.url, schema: place.schema, applicationName: 'spec' });
  await database.execute(sql`create table parent (id int8 primary key, name text unique, size int4 check (size > 0))`);
  await database.execute(sql`create table child (parent_id int8 not null references parent (id))`);
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

describe('values', () => {
  it('come as documented', async () => {
    const row = await database.one(sql`
      select 9007199254740991::int8 as "int8", 1.10::numeric as "numeric", '{1,2,NULL}'::int8[] as "int8s",
        '{}'::int8[] as "none", '2026-11-21T10:00:00.5+02'::timestamptz as "time", '2026-11-21'::date as "day",
        '{"a": [1]}'::jsonb as "json", 'null'::jsonb as "jsonNull", '\\x0102'::bytea as "bytes", true as "flag",
        '00000000-0000-0000-0000-00000000000A'::uuid as "uuid", '{1.5}'::numeric[] as "numerics", null as "nothing"`);
    expect(row).toEqual({
      int8: 2 ** 53 - 1,
      numeric: '1.10',
      int8s: [1, 2, null],
      none: [],
      time: new Date('2026-11-21T08:00:00.500Z'),
      day: '2026-11-21',
      json: { a: [1] },
      jsonNull: null,
      bytes: Buffer.from([1, 2]),
      flag: true,
      uuid: '00000000-0000-0000-0000-00000000000a',
      numerics: ['1.5'],
      nothing: null,
    });
  });

  it('come with any time and any text', async () => {
    const row = await database.one(sql`
      select '2026-11-21T10:00:00Z'::timestamptz as "whole", '2026-11-21T10:00:00.123999Z'::timestamptz as "cut",
        '1969-12-31T23:59:59.9999Z'::timestamptz as "early", '0099-01-02T00:00:00Z'::timestamptz as "old",
        '0044-03-15T00:00:00Z BC'::timestamptz as "older", '12026-01-02T00:00:00Z'::timestamptz as "late",
        'infinity'::timestamptz as "never", null::timestamptz as "nothing", '{}'::text[] as "none",
        '{a,ü b}'::text[] as "plain", ${['a,b', 'NULL', '', '"\\', '{']}::text[] as "quoted", '{a,NULL}'::text[] as "holes",
        '{{a,b},{c,d}}'::text[] as "nested"`);
    expect(row).toEqual({
      whole: new Date('2026-11-21T10:00:00Z'),
      cut: new Date('2026-11-21T10:00:00.123Z'),
      early: new Date('1969-12-31T23:59:59.999Z'),
      old: new Date('0099-01-02T00:00:00Z'),
      older: new Date('-000043-03-15T00:00:00Z'),
      late: new Date('+012026-01-02T00:00:00Z'),
      never: Infinity,
      nothing: null,
      none: [],
      plain: ['a', 'ü b'],
      quoted: ['a,b', 'NULL', '', '"\\', '{'],
      holes: ['a', null],
      nested: [['a', 'b'], ['c', 'd']],
    });
  });

  it('go in and come out the same', async () => {
    const values = { ids: [1, 2 ** 53 - 1], time: new Date('2026-11-21T08:00:00.123Z'), text: 'é\u{1F600}\'"\\' };
    const row = await database.one(sql`
      select ${values.ids}::int8[] as ids, ${values.time}::timestamptz as time, ${values.text}::text as text,
        ${sql.json([1, null, 'a'])}::jsonb as list, ${sql.json(null)}::jsonb as "jsonNull", ${{ a: 1 }}::jsonb as json`);
    expect(row).toEqual({ ...values, list: [1, null, 'a'], jsonNull: null, json: { a: 1 } });
  });

  it('are refused beyond 2^53-1, and the connection goes on', async () => {
    await expect(database.one(sql`select 9007199254740992::int8 as id`)).rejects.toThrow(RangeError);
    await expect(database.one(sql`select '{9007199254740992}'::int8[] as ids`)).rejects.toThrow(RangeError);
    expect(database.pool).toMatchObject({ open: 1, idle: 1 });
  });
});

describe('rows', () => {
  it('are as many as asked for', async () => {
    expect(await database.maybeOne(sql`select 1 where false`)).toBeUndefined();
    await expect(database.one(sql`select 1 where false`)).rejects.toThrow(UnexpectedRows);
    await expect(database.maybeOne(sql`select * from generate_series(1, 2)`)).rejects.toThrow(UnexpectedRows);
    await database.execute(sql`insert into parent (id) values (100), (101)`);
    expect(await database.execute(sql`delete from parent where id in (100, 101)`)).toBe(2);
  });
});

describe('rows one by one', () => {
  const numbers = (most: number) => sql<{ n: number }>`select n from generate_series(1, ${most}::integer) n`;

  it('are taken in their order, and before the statement has ended', async () => {
    const taken: number[] = [];
    const divided = sql<{ n: number }>`select 1000 / (1000 - n) * 0 + n as n from generate_series(1, 1000) n`;
    await expect(database.each(divided, ({ n }) => taken.push(n))).rejects.toThrow('division by zero');
    expect(taken.length).toBeGreaterThan(0);
    expect(taken).toEqual(taken.map((_, place) => place + 1));
    await database.each(numbers(3), ({ n }) => taken.push(n));
    expect(taken.slice(-3)).toEqual([1, 2, 3]);
  });

  it('end with what is thrown for one of them; the connection and the transaction go on', async () => {
    const mistake = new Error('not this one');
    const taken: number[] = [];
    const refuseSecond = ({ n }: { n: number }) => {
      if (n === 2) throw mistake;
      taken.push(n);
    };
    await expect(database.each(numbers(3), refuseSecond)).rejects.toBe(mistake);
    expect(taken).toEqual([1]);
    expect(database.pool).toMatchObject({ idle: database.pool.open });
    await database.transact(async (transaction) => {
      await expect(transaction.each(numbers(3), refuseSecond)).rejects.toBe(mistake);
      await transaction.each(numbers(1), ({ n }) => taken.push(n));
      expect(await transaction.one(sql`select 4 as n`)).toEqual({ n: 4 });
    });
    expect(taken).toEqual([1, 1, 1]);
  });

  it('end with their connection', async () => {
    const last = sql<{ n: number }>`
      select case when n = 1000 then pg_terminate_backend(pg_backend_pid())::integer else n end as n
        from generate_series(1, 2000) n`;
    await expect(database.each(last, () => undefined)).rejects.toThrow(PostgresUnavailable);
    expect(await database.one(sql`select 1 as n`)).toEqual({ n: 1 });
  });

  it('end at the deadline, and the statement is cancelled', async () => {
    const endless = sql`select pg_sleep(0.01) from generate_series(1, 100000)`;
    await expect(database.each(endless, () => undefined, { deadline: deadlineIn(200) })).rejects.toThrow(DeadlineExceeded);
    await until(() => database.pool.idle === database.pool.open, { what: 'the connection to be free' });
    expect(await database.one(sql`
      select count(*)::integer as n from pg_stat_activity
       where datname = current_database() and state = 'active' and query like '%pg_sleep%'
         and pid <> pg_backend_pid()`)).toEqual({ n: 0 });
  });
});

describe('prepared statements', () => {
  it('are made once per connection and used again', async () => {
    await using single = connect({ url: place.url, schema: place.schema, applicationName: 'spec', maxConnections: 1 });
    const { sql: named } = await ownSql('queries');
    const read = (id: number) => single.one<{ id: number }>(named`select ${id}::int8 as id`);
    for (let id = 0; id < 20; id += 1) expect(await read(id)).toEqual({ id });
    const [prepared, ...others] = await single.query<{ uses: number }>(
      sql`select generic_plans + custom_plans as uses from pg_prepared_statements where statement = 'select $1::int8 as id'`,
    );
    expect(others).toEqual([]);
    expect(prepared?.uses).toBe(20);
  });

  it('survive a migration that changes what they answer', async () => {
    await using other = connect({ url: place.url, schema: place.schema, applicationName: 'spec', maxConnections: 2 });
    await database.execute(sql`create table changing (id int8)`);
    const all = (): Promise<unknown[]> => other.query(sql`select * from changing`);
    await Promise.all([all(), all()]);
    await database.execute(sql`alter table changing add column name text`);
    await database.execute(sql`insert into changing values (1, 'a')`);
    expect(await all()).toEqual([{ id: 1, name: 'a' }]);
    expect(await other.transact((transaction) => transaction.query(sql`select * from changing`))).toHaveLength(1);
  });
});

describe('refused writes', () => {
  it('say which constraint refused them', async () => {
    await database.execute(sql`insert into parent (id, name) values (1, 'a')`);
    await expect(database.execute(sql`insert into parent (id, name) values (2, 'a')`)).rejects.toMatchObject({
      constructor: UniqueViolation,
      constraint: 'parent_name_key',
      table: 'parent',
    });
    await expect(database.execute(sql`insert into child values (99)`)).rejects.toMatchObject({
      constructor: ForeignKeyViolation,
      constraint: 'child_parent_id_fkey',
    });
    await expect(database.execute(sql`insert into parent (id, size) values (3, 0)`)).rejects.toMatchObject({
      constructor: CheckViolation,
      constraint: 'parent_size_check',
    });
    await expect(database.execute(sql`insert into child values (null)`)).rejects.toMatchObject({
      constructor: CheckViolation,
      constraint: 'parent_id',
    });
  });
});

describe('deadlines', () => {
  it('cancel a statement in the server, and its connection goes on', async () => {
    const query = database.query(sql`select pg_sleep(60) /* cancelled */`, { deadline: deadlineIn(50) });
    await expect(query).rejects.toThrow(DeadlineExceeded);
    await until(
      async () => {
        const running = await database.query(
          sql`select from pg_stat_activity where query like 'select pg_sleep(60) /* cancelled%' and state = 'active'`,
        );
        return running.length === 0;
      },
      { what: 'the statement has ended' },
    );
    await until(() => database.pool.idle === database.pool.open, { what: 'no connection is in use' });
  });

  it('end a transaction in time', async () => {
    const work = database.transact((transaction) => transaction.query(sql`select pg_sleep(60)`), {
      deadline: deadlineIn(80),
    });
    await expect(work).rejects.toThrow(DeadlineExceeded);
    await until(() => database.pool.idle === database.pool.open, { what: 'no connection is in use' });
  });

  it('that have passed send nothing', async () => {
    await expect(database.query(sql`select 1`, { deadline: deadlineIn(-1) })).rejects.toThrow(DeadlineExceeded);
    await expect(database.transact(async () => 1, { deadline: deadlineIn(-1) })).rejects.toThrow(DeadlineExceeded);
  });

  it('end the wait for a connection', async () => {
    await using small = connect({ url: place.url, applicationName: 'spec', maxConnections: 1 });
    const { promise: finish, resolve } = Promise.withResolvers<void>();
    const holding = small.transact(async (transaction) => {
      await transaction.query(sql`select 1`);
      await finish;
    });
    await expect(small.query(sql`select 1`, { deadline: deadlineIn(30) })).rejects.toThrow(DeadlineExceeded);
    resolve();
    await holding;
    await until(() => small.pool.idle === 1 && small.pool.waiting === 0, { what: 'the connection is free' });
    expect(await small.one(sql`select 1 as one`)).toEqual({ one: 1 });
  });

  it('hold when the server is out of reach in mid-statement', async () => {
    const proxy = await tcpProxy(place.url);
    const url = new URL(place.url);
    url.host = proxy.address;
    await using far = connect({ url: url.href, applicationName: 'spec', maxConnections: 2, statementTimeout: 200 });
    await far.query(sql`select 1`);
    proxy.hold();
    await expect(far.query(sql`select 1`, { deadline: deadlineIn(50) })).rejects.toThrow(DeadlineExceeded);
    await expect(far.query(sql`select 1`, { deadline: deadlineIn(50) })).rejects.toThrow(DeadlineExceeded);
    await proxy.release();
    await until(() => far.pool.open === far.pool.idle, { what: 'no connection is in use' });
    expect(await far.one(sql`select 1 as one`)).toEqual({ one: 1 });
  });
});

describe('without a deadline', () => {
  it('a statement is ended by the server at its limit', async () => {
    await using impatient = connect({ url: place.url, applicationName: 'spec', statementTimeout: 50 });
    await expect(impatient.query(sql`select pg_sleep(60)`)).rejects.toThrow(PostgresUnavailable);
    expect(impatient.pool).toMatchObject({ open: 1, idle: 1 });
  });

  it('a statement of a transaction has the limit of that transaction', async () => {
    await using impatient = connect({
      url: place.url, applicationName: 'spec', maxConnections: 1, statementTimeout: 50,
    });
    const sleep = (options?: TransactOptions) => impatient.transact(
      (transaction) => transaction.one(sql`select pg_sleep(2)::text as slept`), options,
    );
    expect(await sleep({ statementTimeout: 60_000 })).toEqual({ slept: '' });
    await expect(sleep()).rejects.toThrow(PostgresUnavailable);
    await expect(sleep({ statementTimeout: 60_000, deadline: deadlineIn(50) })).rejects.toThrow(DeadlineExceeded);
  });

  it('waiting for a connection has a limit', async () => {
    await using small = connect({ url: place.url, applicationName: 'spec', maxConnections: 1, connectTimeout: 500 });
    await small.transact(async () => {
      await expect(small.query(sql`select 1`)).rejects.toMatchObject({
        constructor: PostgresUnavailable,
        outcome: 'none',
      });
    });
  });
});

describe('those who wait for a connection', () => {
  it('take turns by party, and leave the queue when they give up', async () => {
    await using small = connect({ url: place.url, applicationName: 'spec', maxConnections: 1 });
    const { promise: finish, resolve } = Promise.withResolvers<void>();
    const holding = small.transact(() => finish);
    const done: string[] = [];
    const ask = (name: string, gone?: AbortSignal) => onBehalfOf(name[0]!, async () => {
      await small.query(sql`select 1`, { deadline: deadlineIn(30_000, gone) });
      done.push(name);
    });
    const gone = new AbortController();
    const abandoned = [ask('a0', gone.signal), ask('b0', gone.signal)];
    const asked = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => ask(name));
    gone.abort();
    for (const one of abandoned) await expect(one).rejects.toThrow(DeadlineExceeded);
    expect(small.pool.waiting).toBe(6);
    resolve();
    await Promise.all([holding, ...asked]);
    expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(small.pool).toMatchObject({ open: 1, idle: 1, waiting: 0 });
  });
});

describe('metrics', () => {
  it('show the pool and what failed', async () => {
    const metrics = createMetrics({ service: 'spec', defaults: false });
    await using measured = connect({
      url: place.url,
      applicationName: 'spec',
      metrics,
      maxConnections: 3,
      statementTimeout: 50,
    });
    await measured.query(sql`select 1`);
    await expect(measured.query(sql`select pg_sleep(60)`)).rejects.toThrow(PostgresUnavailable);
    const { text } = await metrics.render();
    expect(text).toContain('postgres_pool_connections_max{service="spec"} 3');
    expect(text).toContain('postgres_pool_connections{service="spec"} 1');
    expect(text).toContain('postgres_duration_seconds_count{service="spec",kind="statement"} 2');
    expect(text).toContain('postgres_errors_total{kind="statement",error="unavailable",service="spec"} 1');
  });
});

describe('lock timeouts', () => {
  it('are conflicts, not repeated', async () => {
    await database.execute(sql`insert into parent (id) values (50)`);
    let runs = 0;
    await database.transact(async (holder) => {
      await holder.query(sql`select from parent where id = 50 for update`);
      const waiting = database.transact(
        async (transaction) => {
          runs += 1;
          await transaction.query(sql`select from parent where id = 50 for update`);
        },
        { lockTimeout: 30 },
      );
      await expect(waiting).rejects.toMatchObject({ constructor: TransactionConflict, code: '55P03' });
    });
    expect(runs).toBe(1);
  });
});
