import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { type Billing, startBilling } from '../fixtures/billing.ts';
import type { SpecEvent } from '../fixtures/events.ts';
import { readUseOfObjects } from '../store/read-usage.ts';
import { monthOf, nextMonth } from './segments.ts';
import { columnsOfObject, type ObjectRow } from './usage-views.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await startBilling();
}, 60_000);
afterAll(async () => {
  await billing?.[Symbol.asyncDispose]();
});

const product = 'productdb-enterprise';
const minuteUs = 60_000_000;
const now = Date.now() * 1000;
/** A month that is over: all its segments have an end. */
const lastMonth = monthOf(monthOf(now) - 1);
const at = (microseconds: number): string => new Date(microseconds / 1000).toISOString();
const firstDay = (microseconds: number): string => at(monthOf(microseconds)).slice(0, 10);

/** Enters events of one object, a minute apart, the n-th with n cores. */
async function enterEvents(ownerId: number, count: number, fromUs: number): Promise<void> {
  const clusterUid = randomUUID();
  const events = Array.from({ length: count }, (_, place): SpecEvent => (
    { uid: 'a', generation: place, time: at(fromUs + place * minuteUs), cpu: place + 1 }
  ));
  for (let start = 0; start < count; start += 500) {
    await billing.enter(ownerId, clusterUid, product, events.slice(start, start + 500));
  }
  await billing.renewed();
}

/** Cores times minutes, and how often amounts changed. */
async function useOf(ownerId: number, until: number, day: number) {
  const scope = {
    product: 'productdb', month: firstDay(day), ownerId, until, objects: sql`true`, shown: sql`true`,
  };
  const used = await readUseOfObjects<ObjectRow>(billing.rows, scope, columnsOfObject, deadlineIn(10_000));
  return used.map(({ use }) => Number(use.total.cpu / 10n ** 9n) / minuteUs);
}

function sumsOf(ownerId: number) {
  return billing.rows.query(sql<{ month: string; cpu: string; changes: number }>`
    select month, cpu, changes from usage_month where owner_id = ${ownerId} order by month`);
}

it('sums follow the segments, whoever changes them', async () => {
  await enterEvents(1, 5, lastMonth);
  const before = await sumsOf(1);
  // The last minute lasts two hours: nothing is known to end it.
  expect(before).toMatchObject([{ month: firstDay(lastMonth), changes: 4 }]);
  await expect(useOf(1, now, lastMonth)).resolves.toEqual([1 + 2 + 3 + 4 + 5 * 120]);
  const [own, third] = [sql`owner_id = 1`, lastMonth + 2 * minuteUs];
  await billing.rows.execute(sql`update usage_segment set cpu = 2 * cpu where ${own} and from_us >= ${third}`);
  await expect(useOf(1, now, lastMonth)).resolves.toEqual([1 + 2 + 6 + 8 + 10 * 120]);
  await billing.rows.execute(sql`delete from usage_segment where ${own} and from_us <> ${third}`);
  await expect(useOf(1, now, lastMonth)).resolves.toEqual([6]);
  expect(await sumsOf(1)).toMatchObject([{ changes: 0 }]);
  await billing.rows.execute(sql`delete from usage_segment where ${own}`);
  expect(await sumsOf(1)).toEqual([]);
});

it('a change at the end of a month shows in the next one', async () => {
  const border = nextMonth(lastMonth);
  await enterEvents(2, 2, border - minuteUs);
  expect((await sumsOf(2)).map(({ changes }) => changes)).toEqual([0, 1]);
  await billing.rows.execute(sql`update usage_segment set cpu = 2000000000 where owner_id = 2 and from_us < ${border}`);
  expect((await sumsOf(2)).map(({ changes }) => changes)).toEqual([0, 0]);
});

it('use of more segments than are summed up is read from them', async () => {
  const count = 1_001;
  await enterEvents(3, count, lastMonth);
  const whole = (count * (count - 1)) / 2 + count * 120;
  expect(await sumsOf(3)).toMatchObject([{ cpu: '0' }]);
  await expect(useOf(3, now, lastMonth)).resolves.toEqual([whole]);
  await billing.rows.execute(sql`delete from usage_segment where owner_id = 3 and from_us = ${lastMonth}`);
  expect(await sumsOf(3)).toMatchObject([{ cpu: `${BigInt((whole - 1) * minuteUs) * 10n ** 9n}` }]);
  await expect(useOf(3, now, lastMonth)).resolves.toEqual([whole - 1]);
});

it('use behind the moment of a view does not count', async () => {
  await enterEvents(4, 3, lastMonth);
  await expect(useOf(4, lastMonth, lastMonth)).resolves.toEqual([]);
  await expect(useOf(4, lastMonth + minuteUs / 2, lastMonth)).resolves.toEqual([0.5]);
  await expect(useOf(4, lastMonth + 1.5 * minuteUs, lastMonth)).resolves.toEqual([2]);
  await expect(useOf(4, lastMonth + 12 * minuteUs, lastMonth)).resolves.toEqual([1 + 2 + 3 * 10]);
});
