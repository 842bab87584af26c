import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { UsageLookupServiceService } from '@platform/proto/billing/v1/lookup';
import type { RpcClient } from '@platform/rpc';
import { as, rpcClient, testSecret } from '@platform/testing';
import { type Billing, startBilling } from '../fixtures/billing.ts';

let billing: Billing;
let lookup: RpcClient<typeof UsageLookupServiceService> & AsyncDisposable;
beforeAll(async () => {
  const serviceCredential = testSecret();
  billing = await startBilling({ 'secrets.serviceCredential': serviceCredential });
  lookup = await rpcClient(UsageLookupServiceService, billing.service, { serviceCredential });
}, 60_000);
afterAll(async () => {
  await billing?.[Symbol.asyncDispose]();
});

const clusterUid = randomUUID();
const second = 1_000_000;
const at = (time: string) => Date.parse(time) * 1000;
const sum = (contractIds: number[], fromMonth: string, until: string) =>
  lookup.sumUseOfContracts({ contractIds, fromMonth, until: Date.parse(until) / 1000 }, as(undefined));

/** A segment of one core and two bytes. */
async function segment(contractId: number, from: string, to: string, usageClass = 'prod'): Promise<void> {
  const { rows } = billing;
  const { id } = await rows.one(sql<{ id: number }>`
    insert into metered_object (owner_id, cluster_uid, product, object_uid, first_at)
    values (1, ${clusterUid}, 'productdb', ${randomUUID()}, now()) returning id`);
  await rows.execute(sql`
    insert into usage_segment (metered_id, from_us, to_us, month, owner_id, product, cpu, memory, contract_id, class, mode)
    values (${id}, ${at(from)}, ${at(to)}, ${`${from.slice(0, 7)}-01`}::date, 1, 'productdb', 1000000000, 2000000000,
            ${contractId}, ${usageClass}, '')`);
}

it('sums up billable use by product and month, up to a moment', async () => {
  await billing.rows.execute(sql`
    insert into contract (id, owner_id, name, product, starts_at, ends_at)
    select id, 1, 'c', 'productdb', now(), now() + interval '1 year' from generate_series(1, 3) id`);
  await segment(1, '2026-10-31T23:00:00Z', '2026-11-01T00:00:00Z');
  await segment(1, '2026-11-01T00:00:00Z', '2026-11-01T02:00:00Z', 'nonProd');
  await segment(2, '2026-11-01T01:00:00Z', '2026-11-01T03:00:00Z');
  await segment(1, '2026-11-01T00:00:00Z', '2026-11-01T03:00:00Z', 'free');
  await segment(3, '2026-11-01T00:00:00Z', '2026-11-01T03:00:00Z');
  const use = (month: string, hours: number) => ({
    product: 'productdb', month, cpu: `${hours * 3600 * second}000000000`, memory: `${2 * hours * 3600 * second}000000000`,
  });
  expect((await sum([1], '2026-10', '2026-11-01T00:00:00Z')).uses).toEqual([use('2026-10', 1)]);
  expect((await sum([1], '2026-10', '2026-11-01T01:00:00Z')).uses).toEqual([use('2026-10', 1), use('2026-11', 1)]);
  expect((await sum([1, 2], '2026-11', '2026-11-01T02:00:00Z')).uses).toEqual([use('2026-11', 3)]);
  expect((await sum([9], '2026-10', '2026-11-02T00:00:00Z')).uses).toEqual([]);
  expect((await sum([], '2026-10', '2026-11-02T00:00:00Z')).uses).toEqual([]);
});

it('refuses what it cannot answer', async () => {
  const now = '2026-11-02T00:00:00Z';
  for (const month of ['', '2026', '2026-13', '2026-11-01', "2026-11' or true"]) {
    await expect(sum([1], month, now)).rejects.toMatchObject({ reason: 'INVALID_VALUE' });
  }
  const contracts = Array.from({ length: 101 }, (_, index) => index);
  await expect(sum(contracts, '2026-11', now)).rejects.toMatchObject({ reason: 'TOO_MANY_ITEMS' });
  await expect(lookup.sumUseOfContracts({ contractIds: [1], fromMonth: '2026-11', until: -1 }, as(undefined)))
    .rejects.toMatchObject({ reason: 'INVALID_VALUE' });
});
