import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Queryable, sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { type Billing, startBilling } from '../fixtures/billing.ts';
import { dayUs } from './month.ts';
import { readDays } from './read-days.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await startBilling();
}, 60_000);
afterAll(async () => {
  await billing?.[Symbol.asyncDispose]();
});

const ownerId = 1;
const month = '2026-10-01';
const monthUs = Date.parse(month) * 1000;

/** Stores objects that use a core on each of five days. */
async function storeObjects(clusterUid: string, count: number, fromUs: number): Promise<void> {
  await billing.rows.execute(sql`
    insert into metered_object (owner_id, cluster_uid, product, object_uid, first_at, created_at)
    select ${ownerId}, ${clusterUid}::uuid, 'productdb', 'object-' || number, now(), now()
      from generate_series(1, ${count}::integer) number`);
  await billing.rows.execute(sql`
    insert into usage_segment (
      metered_id, from_us, to_us, month, owner_id, product, cpu, memory, contract_id, class, mode
    )
    select id, from_us, from_us + ${dayUs / 2}, date_trunc('month', to_timestamp(from_us / 1e6) at time zone 'UTC'),
           owner_id, product, 1000000000, 0, 0, 'prod', ''
      from metered_object
     cross join lateral (select ${fromUs}::bigint + day * ${dayUs}::bigint as from_us from generate_series(0, 4) day) begins
     where cluster_uid = ${clusterUid}::uuid`);
}

/** Number of segment rows that this connection has read in this transaction; it may include recent earlier reads. */
async function segmentsRead(transaction: Queryable): Promise<number> {
  const { count } = await transaction.one(sql<{ count: number }>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as "count"
      from pg_stat_xact_user_tables where relid = 'usage_segment'::regclass`);
  return count;
}

it('the days of a cluster are read without the segments of others, also where statistics do not know the month', async () => {
  for (const table of ['metered_object', 'usage_segment']) {
    await billing.rows.execute(sql`alter table ${sql.identifier(table)} set (autovacuum_enabled = false)`);
  }
  await storeObjects(randomUUID(), 500, monthUs - 20 * dayUs);
  await billing.rows.execute(sql`analyze metered_object, usage_segment`);
  await storeObjects(randomUUID(), 2_000, monthUs);
  const clusterUid = randomUUID();
  await storeObjects(clusterUid, 50, monthUs);

  await billing.rows.transact(async (transaction) => {
    const scope = {
      product: 'productdb', month, ownerId, clusterUid, until: monthUs + 31 * dayUs, objects: undefined,
      shown: sql`true`,
    };
    const columns = { id: { value: sql`object.id`, type: sql`bigint`, ofObject: true } };
    const before = await segmentsRead(transaction);
    const days = await readDays(transaction, scope, { columns, shown: [{ id: 0 }] }, deadlineIn(10_000));
    const segments = await segmentsRead(transaction) - before;

    expect(days.map(({ date }) => date)).toEqual(
      ['2026-10-01', '2026-10-02', '2026-10-03', '2026-10-04', '2026-10-05'],
    );
    expect(days[0]!.use.cpu).toBe(50n * 10n ** 9n * BigInt(dayUs / 2));
    expect(segments).toBe(50 * 5);
  }, { deadline: deadlineIn(20_000) });
});
