import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Queryable, sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { type Billing, startBilling } from '../fixtures/billing.ts';
import { readObjects as readLines } from './object-json.ts';
import { findObject } from './read-objects.ts';
import { summariesOfObjects } from './read-summaries.ts';
import { type UsageScope, useOfObjects } from './read-usage.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await startBilling();
}, 60_000);
afterAll(async () => {
  await billing?.[Symbol.asyncDispose]();
});

/** Blocks of the table and its indexes that this connection has fetched in this transaction or shortly before. */
async function blocksRead(queryable: Queryable): Promise<number> {
  const { blocks } = await queryable.one(sql<{ blocks: number }>`
    select sum(pg_stat_get_xact_blocks_fetched(relation))::bigint as "blocks"
      from (
        select 'metered_object'::regclass as relation
        union all select indexrelid from pg_index where indrelid = 'metered_object'::regclass
      ) relation`);
  return blocks;
}

it.each([
  ['its owner', 7], ['any owner', undefined],
])('an object of %s is found without looking through those of all owners', async (_, ownerId) => {
  const [clusterUid, objectUid] = [randomUUID(), 'a'];
  await billing.rows.execute(sql`
    insert into metered_object (owner_id, cluster_uid, product, object_uid, first_at, created_at)
    select number + 1000, gen_random_uuid(), 'productdb', ${objectUid}, now(), now()
      from generate_series(1, 10000) number
    union all values (7, ${clusterUid}::uuid, 'productdb', ${objectUid}, now(), now())`);
  await billing.rows.execute(sql`
    insert into product_contact (owner_id, cluster_uid, licence_id, product_name, first_received_at, last_received_at)
    select owner_id, cluster_uid, '', 'productdb-enterprise', now(), now() from metered_object on conflict do nothing`);
  await billing.rows.execute(sql`analyze metered_object, product_contact`);

  await billing.rows.transact(async (transaction) => {
    const before = await blocksRead(transaction);
    const found = await findObject(transaction, { ownerId, clusterUid, objectUid }, deadlineIn(10_000));
    const blocks = await blocksRead(transaction) - before;

    expect(found).toMatchObject({ ownerId: 7, clusterUid });
    // An index of 10,000 objects has at least 70 blocks.
    expect(blocks).toBeLessThan(30);
  });
});

it.each([
  ['use', (snapshot: Queryable, scope: UsageScope, taken: () => void) =>
    useOfObjects(snapshot, scope, deadlineIn(10_000))
      .then((lines) => readLines(snapshot, scope, lines, taken, deadlineIn(10_000)))],
  ['summaries', (snapshot: Queryable, scope: UsageScope, taken: () => void) =>
    summariesOfObjects(snapshot, scope, deadlineIn(10_000))
      .then((lines) => readLines(snapshot, scope, lines, taken, deadlineIn(10_000)))],
])('%s of many objects in one cluster looks at each once, also in a month that statistics do not know', async (_, read) => {
  const [clusterUid, ownerId, count] = [randomUUID(), Math.floor(Math.random() * 2 ** 40), 300];
  await billing.rows.execute(sql`
    with object as (
      insert into metered_object (owner_id, cluster_uid, product, object_uid, first_at, created_at)
      select ${ownerId}, ${clusterUid}::uuid, 'productdb', number::text, now(), now()
        from generate_series(1, ${count}::integer) number
      returning id
    )
    insert into usage_segment (
      metered_id, from_us, to_us, month, owner_id, product, cpu, memory, contract_id, class, mode, event_us
    )
    select id, month_start_us('2031-05-01') + 1, month_start_us('2031-05-02'), '2031-05-01', ${ownerId}, 'productdb', 1, 1, 1, 'prod',
           'prod', month_start_us('2031-05-01') + 1
      from object`);
  const scope: UsageScope = {
    product: 'productdb', month: '2031-05-01', ownerId, clusterUid: undefined, objects: undefined, shown: sql`true`,
    until: Date.parse('2031-05-03T00:00:00Z') * 1000,
  };

  await billing.rows.transact(async (transaction) => {
    const before = await blocksRead(transaction);
    let found = 0;
    await read(transaction, scope, () => { found += 1; });
    const blocks = await blocksRead(transaction) - before;

    expect(found).toBe(count);
    expect(blocks).toBeLessThan(10 * count);
  });
});
