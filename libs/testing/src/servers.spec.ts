import { join } from 'node:path';
import { probeNats, probeOpenfga } from '@platform/backing';
import { connect, sql, type Database } from '@platform/postgres';
import { describe, expect, it } from '@jest/globals';
import { openFgaStore } from './open-fga-store.ts';
import { busPrefix, testBus } from './test-bus.ts';
import { testDatabase, testPostgres, type TestDatabase } from './test-database.ts';

const migrations = join(import.meta.dirname, 'fixtures/migrations');

function open({ url, schema }: TestDatabase): Database {
  return connect({ url, schema, applicationName: 'harness-spec' });
}

async function names(database: Database): Promise<string[]> {
  const guests = await database.query<{ name: string }>(sql`select name from guest order by name`);
  return guests.map(({ name }) => name);
}

async function databases(prefix: string): Promise<number> {
  await using superuser = connect({ url: await testPostgres(), applicationName: 'harness-spec' });
  const { count } = await superuser.one<{ count: number }>(
    sql`select count(*) as count from pg_database where datname = ${prefix}`,
  );
  return count;
}

describe('the servers of a run', () => {
  it('give a spec file migrated databases that do not see each other', async () => {
    const made = () => testDatabase('guest-book', { migrations });
    const [first, second] = await Promise.all([made(), made()]);
    await using one = open(first);
    await using other = open(second);
    await one.execute(sql`insert into guest (name) values ('Grace')`);
    await expect(names(one)).resolves.toEqual(['Ada', 'Grace']);
    await expect(names(other)).resolves.toEqual(['Ada']);
  });

  it('drop a database that is released, also with open connections', async () => {
    const database = await testDatabase('guest-book', { migrations });
    await using connection = open(database);
    await names(connection);
    await expect(databases(database.name)).resolves.toBe(1);
    await database[Symbol.asyncDispose]();
    await expect(databases(database.name)).resolves.toBe(0);
  });

  it('say why a database cannot be made', async () => {
    const broken = join(import.meta.dirname, 'fixtures/broken-migrations');
    await expect(testDatabase('guest-book', { migrations: broken })).rejects.toMatchObject({ reason: 'FAILED' });
  });

  it('have a NATS with JetStream for the platform', async () => {
    const bus = await testBus();
    await expect(probeNats(bus, AbortSignal.timeout(5_000))).resolves.toBeUndefined();
    expect(busPrefix()).not.toBe(bus.prefix);
  });

  it('have an OpenFGA, and a store name per call', async () => {
    const [one, other] = await Promise.all([openFgaStore(), openFgaStore()]);
    await expect(probeOpenfga(one, AbortSignal.timeout(5_000))).resolves.toBeUndefined();
    expect(one.storeName).not.toBe(other.storeName);
  });
});
