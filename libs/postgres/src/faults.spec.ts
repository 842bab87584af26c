import { randomUUID } from 'node:crypto';
import { type AddressInfo, connect as dial, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deadlineIn, DeadlineExceeded } from '@platform/service';
import { seeded, tcpProxy, testDatabase, until } from '@platform/testing';
import type { TestDatabase } from '@platform/testing';
import { connect } from './connect.ts';
import type { Database } from './database.ts';
import { PostgresUnavailable, UniqueViolation } from './errors.ts';
import { sql } from './sql.ts';

const most = 5;

let place: TestDatabase;
let administrator: Database;
let applicationName: string;
let database: Database;

beforeEach(async () => {
  place = await testDatabase('postgres-spec');
  administrator = connect({ url: place.superuserUrl, schema: place.schema, applicationName: 'spec administrator' });
  applicationName = `spec ${randomUUID()}`;
  database = connect({ url: place.url, schema: place.schema, applicationName, maxConnections: most });
  await database.execute(sql`create table counter (id int8 primary key, value int8 not null)`);
  await database.execute(sql`insert into counter values (1, 0)`);
});

afterEach(async () => {
  await database[Symbol.asyncDispose]();
  await administrator[Symbol.asyncDispose]();
});

const readyForQuery = Buffer.from('Z\0\0\0\x05I');
const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
/** The message of PostgreSQL when an administrator ends a session. */
const terminated = Buffer.concat([Buffer.from('E\0\0\0'), Buffer.from([fields.length + 4]), fields]);

const counted = async (): Promise<number> =>
  (await administrator.one<{ value: number }>(sql`select value from counter where id = 1`)).value;
const bump = sql`update counter set value = value + 1 where id = 1`;

const terminateAll = (): Promise<number> =>
  administrator.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${applicationName}`,
  );

async function expectNothingLeaked(): Promise<void> {
  await until(() => database.pool.idle === database.pool.open && database.pool.waiting === 0, {
    what: 'no connection is in use',
  });
  const all = Array.from({ length: most * 4 }, (_, index) =>
    database.one(sql`select ${index}::int8 as id, pg_sleep(0.001)::text`),
  );
  expect(await Promise.all(all)).toHaveLength(most * 4);
  const inServer = (): Promise<{ state: string }[]> =>
    administrator.query(sql`select state from pg_stat_activity where application_name = ${applicationName}`);
  await until(async () => (await inServer()).every(({ state }) => state === 'idle'), {
    what: 'the server has nothing open',
  });
  expect((await inServer()).length).toBeLessThanOrEqual(most);
}

describe('connections cut by the server', () => {
  it('while idle are replaced without anybody noticing', async () => {
    await database.query(sql`select 1`);
    expect(await terminateAll()).toBe(1);
    await until(() => database.pool.open === 0, { what: 'the lost connection is gone' });
    expect(await database.one(sql`select 1 as one`)).toEqual({ one: 1 });
  });

  it('as soon as they are made: unavailable', async () => {
    const server = createServer((client) => {
      const { hostname, port } = new URL(place.url);
      const onward = dial(Number(port), hostname);
      for (const socket of [client, onward]) socket.on('error', () => client.destroy()).on('close', () => onward.destroy());
      client.pipe(onward);
      let answered = 0;
      onward.on('data', (data) => {
        if (data.subarray(-6).equals(readyForQuery)) answered += 1;
        // The second answer belongs to the statement that sets up the session.
        if (answered < 2) client.write(data);
        else client.end(Buffer.concat([data, terminated]));
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = new URL(place.url);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    {
      await using lost = connect({ url: url.href, schema: place.schema, applicationName, maxConnections: 1 });
      for (let times = 0; times < 3; times += 1) {
        await expect(lost.query(sql`select 1`)).rejects.toThrow(PostgresUnavailable);
      }
      expect(lost.pool.open).toBe(0);
    }
    server.close();
  });

  it('in mid-transaction: unavailable, nothing written', async () => {
    const work = database.transact(async (transaction) => {
      await transaction.execute(bump);
      await transaction.query(sql`select pg_terminate_backend(pg_backend_pid())`);
    });
    await expect(work).rejects.toThrow(PostgresUnavailable);
    expect(await counted()).toBe(0);
    await expectNothingLeaked();
  });

  it('between two statements of a transaction: the same', async () => {
    const work = database.transact(async (transaction) => {
      await transaction.execute(bump);
      await terminateAll();
      await transaction.execute(bump);
    });
    await expect(work).rejects.toThrow(PostgresUnavailable);
    expect(await counted()).toBe(0);
    await expectNothingLeaked();
  });

  it('under load: each call succeeds or is unavailable, none is counted that failed before its commit', async () => {
    let stopped = false;
    const outcomes = { done: 0, none: 0, unknown: 0 };
    const worker = async (): Promise<void> => {
      while (!stopped) {
        try {
          await database.transact((transaction) => transaction.execute(bump));
          outcomes.done += 1;
        } catch (error) {
          if (!(error instanceof PostgresUnavailable)) throw error;
          outcomes[error.outcome] += 1;
        }
      }
    };
    const workers = Promise.all(Array.from({ length: 8 }, worker));
    for (let cuts = 0; cuts < 20; cuts += 1) {
      const before = outcomes.done;
      await terminateAll();
      await until(() => outcomes.done > before, { what: 'calls succeed again' });
    }
    stopped = true;
    await workers;

    const value = await counted();
    expect(outcomes.none + outcomes.unknown).toBeGreaterThan(0);
    expect(value).toBeGreaterThanOrEqual(outcomes.done);
    expect(value).toBeLessThanOrEqual(outcomes.done + outcomes.unknown);
    await expectNothingLeaked();
  });
});

describe('a COMMIT whose answer is lost', () => {
  it('is unavailable with an unknown outcome, and is not repeated', async () => {
    const proxy = await tcpProxy(place.url);
    const url = new URL(place.url);
    url.host = proxy.address;
    await using far = connect({ url: url.href, schema: place.schema, applicationName: 'spec far' });
    let runs = 0;
    const work = far.transact(async (transaction) => {
      runs += 1;
      await transaction.execute(bump);
      proxy.cutAfter(0);
    });
    await expect(work).rejects.toMatchObject({ constructor: PostgresUnavailable, outcome: 'unknown' });
    expect(runs).toBe(1);
    await until(async () => (await counted()) === 1, { what: 'the commit is seen' });
    await proxy.release();
    await until(() => far.pool.open === 0, { what: 'the connection is gone' });
    expect(await far.one(sql`select value from counter where id = 1`)).toEqual({ value: 1 });
  });
});

describe('a server that is away', () => {
  it('is unavailable at once, and back as soon as it is', async () => {
    const proxy = await tcpProxy(place.url);
    const url = new URL(place.url);
    url.host = proxy.address;
    await using far = connect({ url: url.href, schema: place.schema, applicationName: 'spec far' });
    await far.query(sql`select 1`);

    await proxy.refuse();
    await expect(far.query(sql`select 1`)).rejects.toThrow(PostgresUnavailable);
    await expect(far.transact(async () => 1)).rejects.toMatchObject({ outcome: 'none' });
    await expect(far.ping(deadlineIn(1_000))).rejects.toThrow(PostgresUnavailable);

    await proxy.release();
    expect(await far.one(sql`select 1 as one`)).toEqual({ one: 1 });
    await far.ping(deadlineIn(1_000));
  });

  it('never shows how it is reached', async () => {
    await using nowhere = connect({ url: 'postgres://role:hunter2@127.0.0.1:1/secret', applicationName: 'spec' });
    const error = await nowhere.query(sql`select 1`).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PostgresUnavailable);
    expect((error as Error).message).not.toMatch(/hunter2|127\.0\.0\.1|secret/);
  });

  it('full of connections is unavailable', async () => {
    const role = `spec_${randomUUID().slice(0, 8)}`;
    await administrator.execute(sql`create role ${sql.identifier(role)} login password 'full' connection limit 1`);
    const url = new URL(place.url);
    [url.username, url.password] = [role, 'full'];
    {
      await using one = connect({ url: url.href, applicationName: 'spec' });
      await one.query(sql`select 1`);
      await using another = connect({ url: url.href, applicationName: 'spec' });
      await expect(another.query(sql`select 1`)).rejects.toMatchObject({
        constructor: PostgresUnavailable,
        outcome: 'none',
      });
    }
    await until(() => administrator.execute(sql`drop role ${sql.identifier(role)}`).then(() => true), {
      what: 'it is dropped',
    });
  });
});

describe('1,000 faults', () => {
  it('leak no connection', async () => {
    const random = seeded(20261121);
    const faults: readonly (() => Promise<unknown>)[] = [
      () => database.query(sql`select nonsense`),
      () => database.execute(sql`insert into counter values (1, 1)`),
      () => database.query(sql`select 9007199254740993::int8`),
      () => database.query(sql`select pg_sleep(60)`, { deadline: deadlineIn(2) }),
      () =>
        database.transact((transaction) => transaction.query(sql`select pg_sleep(60)`), { deadline: deadlineIn(3) }),
      () => database.transact(() => Promise.reject(new RangeError('refused'))),
      () => database.transact((transaction) => transaction.execute(sql`insert into counter values (1, 1)`)),
      () => database.query(sql`select pg_terminate_backend(pg_backend_pid())`),
      () => database.transact((transaction) => transaction.query(sql`select pg_terminate_backend(pg_backend_pid())`)),
      () => database.query(sql`select 1`, { deadline: deadlineIn(0) }),
    ];
    const seen = new Map<string, number>();
    let left = 1_000;
    const worker = async (): Promise<void> => {
      while ((left -= 1) >= 0) {
        const fault = faults[left % faults.length];
        const error = await fault?.().then(
          () => undefined,
          (caught: unknown) => caught,
        );
        expect(error).toBeInstanceOf(Error);
        const name = error instanceof Error ? error.name : 'none';
        seen.set(name, (seen.get(name) ?? 0) + 1);
        if (random.next() < 0.1) await database.query(sql`select 1`).catch(() => undefined);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));

    expect([...seen.keys()]).toEqual(
      expect.arrayContaining([DeadlineExceeded.name, PostgresUnavailable.name, UniqueViolation.name, 'RangeError']),
    );
    expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(1_000);
    await expectNothingLeaked();
    expect(await counted()).toBe(0);
  }, 60_000);
});

it('a server that takes a login and then is silent is unavailable, also without a deadline', async () => {
  const message = (type: string, content: number[]) => {
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeInt32BE(4 + content.length, 1);
    return Buffer.concat([head, Buffer.from(content)]);
  };
  const zero = [0, 0, 0, 0];
  const silent = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(Buffer.concat([
      message('R', zero), message('K', [...zero, ...zero]), message('Z', [...Buffer.from('I')]),
    ])));
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  try {
    await using away = connect({ url: `postgres://nobody:secret@127.0.0.1:${port}/none`, applicationName: 'spec' });
    await expect(away.query(sql`select 1`)).rejects.toMatchObject({ name: PostgresUnavailable.name, outcome: 'none' });
  } finally {
    silent.close();
  }
}, 20_000);
