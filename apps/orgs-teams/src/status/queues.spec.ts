import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect, type Database, sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { testDatabase } from '@platform/testing';
import { readQueues } from './queues.ts';

let database: Database;

beforeAll(async () => {
  const { url, schema } = await testDatabase('orgs-teams');
  database = connect({ url, schema, applicationName: 'spec' });
});

afterAll(async () => database[Symbol.asyncDispose]());

const nothing = { pending: 0, oldestSeconds: 0 };

it('returns how much waits, and how long the oldest has waited', async () => {
  expect(await readQueues(database, deadlineIn(5_000))).toEqual({
    projection: nothing, 'bus-accounts': nothing, pictures: nothing, 'account-deletions': nothing,
  });
  await database.execute(sql`
    insert into projection_pending (organization_id, unit, created_at)
    values (3, 'all', now() - interval '100 s'), (4, 'all', now())`);
  await database.execute(sql`
    insert into bus_account_removal (public_key, organization_id, created_at) values ('A', 3, now() - interval '50 s')`);
  await database.execute(sql`
    insert into picture_file (name, removable_at)
    values (${'0'.repeat(32)}, now() - interval '20 s'), (${'1'.repeat(32)}, now() + interval '1 h')`);
  const queues = await readQueues(database, deadlineIn(5_000));
  expect(queues).toMatchObject({
    projection: { pending: 2 }, 'bus-accounts': { pending: 1 }, pictures: { pending: 1 }, 'account-deletions': nothing,
  });
  expect(queues.projection.oldestSeconds).toBeGreaterThanOrEqual(100);
  expect(queues['bus-accounts'].oldestSeconds).toBeGreaterThanOrEqual(50);
  expect(queues.pictures.oldestSeconds).toBeGreaterThanOrEqual(20);
});

it('counts an account of the bus from the change of which the servers do not know', async () => {
  await database.execute(sql`delete from bus_account_removal`);
  const { id } = await database.one(sql<{ id: number }>`
    with named as (insert into account (kind, name) values ('organization', 'acme') returning id)
    insert into organization (id) select id from named returning id`);
  await database.execute(sql`
    insert into bus_account (organization_id, public_key, told_revision, untold_since)
    values (${id}, ${`A${'A'.repeat(55)}`}, 1, now() - interval '1 day')`);
  expect((await readQueues(database, deadlineIn(5_000)))['bus-accounts']).toEqual(nothing);
  await database.execute(sql`update bus_account set revision = revision + 1`);
  const { pending, oldestSeconds } = (await readQueues(database, deadlineIn(5_000)))['bus-accounts'];
  expect(pending).toBe(1);
  expect(oldestSeconds).toBeLessThan(3_600);
});
