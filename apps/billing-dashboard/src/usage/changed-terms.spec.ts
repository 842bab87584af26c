import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { connect, type Database, sql } from '@platform/postgres';
import { testDatabase, type TestDatabase, until } from '@platform/testing';
import { markChangedTerms } from './changed-terms.ts';

let database: TestDatabase;
let rows: Database;
beforeEach(async () => {
  database = await testDatabase('billing-dashboard');
  rows = connect({ url: database.url, schema: database.schema, applicationName: 'spec' });
});
afterEach(async () => {
  await rows?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

const [one, other] = [randomUUID(), randomUUID()];

async function addObjects(clusterUid: string, uids: readonly string[], product = 'productdb'): Promise<void> {
  await rows.execute(sql`
    insert into metered_object (owner_id, cluster_uid, product, object_uid, first_at)
    select 1, ${clusterUid}::uuid, ${product}, uid, now() from unnest(${uids}::text[]) uid`);
}

function note(clusterUid: string): Promise<number> {
  return rows.execute(sql`
    insert into changed_terms (owner_id, cluster_uid, product) values (1, ${clusterUid}::uuid, 'productdb')`);
}

const mark = (objects: number, places = 10) =>
  rows.transact((transaction) => markChangedTerms(transaction, { objects, places }));

/** Objects whose whole usage is due for renewal. */
async function marked(): Promise<string[]> {
  const found = await rows.query(sql<{ uid: string }>`
    select object_uid as "uid" from metered_object
     where due_from = '-infinity' and due_since is not null order by object_uid`);
  return found.map(({ uid }) => uid);
}

async function notes(): Promise<number> {
  return (await rows.query(sql`select from changed_terms`)).length;
}

it('objects of a place are marked in parts; the last part removes the note', async () => {
  await addObjects(one, ['a', 'b', 'c', 'd', 'e']);
  await addObjects(one, ['f'], 'productvault');
  await addObjects(other, ['g']);
  await rows.execute(sql`update metered_object set due_from = now(), due_since = '-infinity' where object_uid = 'b'`);
  await note(one);
  await expect(mark(2)).resolves.toBe(true);
  await expect(marked()).resolves.toEqual(['a', 'b']);
  await expect(mark(2)).resolves.toBe(true);
  await expect(marked()).resolves.toEqual(['a', 'b', 'c', 'd']);
  await expect(notes()).resolves.toBe(1);
  await expect(mark(2)).resolves.toBe(false);
  await expect(marked()).resolves.toEqual(['a', 'b', 'c', 'd', 'e']);
  await expect(notes()).resolves.toBe(0);
  // Objects that were already due keep their place in the queue.
  await expect(rows.query(sql`select from metered_object where due_since = '-infinity'`)).resolves.toHaveLength(1);
  await expect(mark(2)).resolves.toBe(false);
});

it('a place of few objects does not wait for one of many', async () => {
  await addObjects(one, ['a', 'b', 'c']);
  await addObjects(other, ['z']);
  await note(one);
  await mark(1, 1);
  await note(other);
  await mark(1, 1);
  await expect(marked()).resolves.toEqual(['a', 'z']);
});

it('a part that is not committed is marked again', async () => {
  await addObjects(one, ['a', 'b']);
  await note(one);
  await expect(rows.transact(async (transaction) => {
    await markChangedTerms(transaction, { objects: 10, places: 10 });
    throw new Error('crash');
  })).rejects.toThrow('crash');
  await expect(marked()).resolves.toEqual([]);
  await mark(10);
  await expect(marked()).resolves.toEqual(['a', 'b']);
});

it('replicas mark different places', async () => {
  await addObjects(one, ['a']);
  await addObjects(other, ['b']);
  await note(one);
  await note(other);
  await rows.transact(async (transaction) => {
    await markChangedTerms(transaction, { objects: 1, places: 1 });
    await mark(10);
    await expect(marked()).resolves.toEqual(['b']);
    await expect(notes()).resolves.toBe(1);
  });
  await mark(10);
  await expect(marked()).resolves.toEqual(['a', 'b']);
  await expect(notes()).resolves.toBe(0);
});

it('an object that is being renewed is marked after its renewal', async () => {
  await addObjects(one, ['a']);
  await rows.execute(sql`update metered_object set due_from = '-infinity', due_since = now()`);
  await note(one);
  const marking = await rows.transact(async (renewal) => {
    await renewal.execute(sql`update metered_object set due_from = null, due_since = null`);
    const begun = mark(10);
    await until(async () => (await rows.query(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length > 0,
    { what: 'marking waits for the renewal' });
    return { begun };
  });
  await marking.begun;
  await expect(marked()).resolves.toEqual(['a']);
});
