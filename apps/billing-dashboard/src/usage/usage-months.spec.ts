import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import type { Account } from '@platform/rpc';
import { deadlineIn } from '@platform/service';
import { type Billing, startBilling } from '../fixtures/billing.ts';
import type { SpecEvent } from '../fixtures/events.ts';
import { applyContractClusters, applyContracts } from '../projections/apply-contracts.ts';
import { readGeneratedMonths } from './read-months.ts';
import { useOfObjects } from './read-usage.ts';
import { showClusterModes, showSummaries } from './object-lists.ts';
import { type MonthView, showMonth } from './month-view.ts';
import { readObjects } from './object-json.ts';
import { monthOf, nextMonth } from './segments.ts';
import { clustersView, contractsView, objectsView } from './usage-views.ts';

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
/** A month in the past, so all its segments have an end. */
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

/** The use in core-minutes and the number of changes of an owner's month. */
async function useOf(ownerId: number, until: number, day: number) {
  const scope = {
    product: 'productdb', month: firstDay(day), ownerId, until, objects: undefined, shown: sql`true`,
  };
  const deadline = deadlineIn(10_000);
  const lines = await useOfObjects(billing.rows, scope, deadline);
  const used: number[] = [];
  await readObjects(
    billing.rows, scope, lines, ({ use }) => used.push(Number(use.total.cpu / 10n ** 9n) / minuteUs), deadline,
  );
  return used;
}

function sumsOf(ownerId: number) {
  return billing.rows.query(sql<{ month: string; cpu: string; changes: number }>`
    select month, cpu, changes from usage_month where owner_id = ${ownerId} order by month`);
}

it('sums follow the segments, also when they are changed by hand', async () => {
  await enterEvents(1, 5, lastMonth);
  const before = await sumsOf(1);
  // The last event counts for two hours, because no later event ends it.
  expect(before).toMatchObject([{ month: firstDay(lastMonth), changes: 4 }]);
  await expect(useOf(1, now, lastMonth)).resolves.toEqual([1 + 2 + 3 + 4 + 5 * 120]);
  const [own, third] = [sql`owner_id = 1`, lastMonth + 2 * minuteUs];
  await billing.rows.execute(sql`update usage_segment set cpu = 2 * cpu where ${own} and from_us >= ${third}`);
  await expect(useOf(1, now, lastMonth)).resolves.toEqual([1 + 2 + 6 + 8 + 10 * 120]);
  await billing.rows.execute(sql`delete from usage_segment where ${own} and from_us <> ${third}`);
  await expect(useOf(1, now, lastMonth)).resolves.toEqual([6]);
  expect(await sumsOf(1)).toMatchObject([{ changes: 0 }]);
  // Move the segments to another object by hand.
  await enterEvents(5, 1, lastMonth + minuteUs);
  await billing.rows.execute(sql`
    update usage_segment set owner_id = 5, metered_id = (select id from metered_object where owner_id = 5) where ${own}`);
  expect(await sumsOf(1)).toEqual([]);
  await expect(useOf(5, now, lastMonth)).resolves.toEqual([1 * 120 + 6]);
  await billing.rows.execute(sql`truncate usage_segment`);
  expect(await sumsOf(5)).toEqual([]);
});

it('a change at the end of a month shows in the next one', async () => {
  const border = nextMonth(lastMonth);
  await enterEvents(2, 2, border - minuteUs);
  expect((await sumsOf(2)).map(({ changes }) => changes)).toEqual([0, 1]);
  await billing.rows.execute(sql`update usage_segment set cpu = 2000000000 where owner_id = 2 and from_us < ${border}`);
  expect((await sumsOf(2)).map(({ changes }) => changes)).toEqual([0, 0]);
});

it('what happens in the first moment of a month is of that month, and a millisecond earlier of the one before', async () => {
  const before = monthOf(lastMonth - 1);
  const millisecondUs = 1_000;
  const lives: readonly (readonly SpecEvent[])[] = [
    [
      { uid: 'a', time: at(lastMonth - millisecondUs), cpu: 1 },
      { uid: 'a', generation: 2, time: at(lastMonth), cpu: 2 },
      { uid: 'a', generation: 3, time: at(lastMonth + minuteUs), action: 'deleted' },
    ],
    [
      { uid: 'a', time: at(lastMonth - minuteUs), cpu: 3 },
      { uid: 'a', generation: 2, time: at(lastMonth), action: 'deleted' },
    ],
    [{ uid: 'a', time: at(lastMonth - millisecondUs), cpu: 1 }],
    [{ uid: 'a', time: at(lastMonth), cpu: 1 }],
  ];
  for (const [place, events] of lives.entries()) await billing.enter(20 + place, randomUUID(), product, events);
  await billing.renewed();
  const used = lives.map(async (_, place) => [
    await useOf(20 + place, now, before), await useOf(20 + place, now, lastMonth),
  ]);
  const millisecond = millisecondUs / minuteUs;
  expect(await Promise.all(used)).toEqual([
    [[millisecond], [2]], [[3], []], [[millisecond], [(120 * minuteUs - millisecondUs) / minuteUs]], [[], [120]],
  ]);
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

it('the mode of a cluster is its latest one, also where its latest use is not shown', async () => {
  const events = ['prod', 'qa'].map((mode, place): SpecEvent => ({
    uid: mode, mode, time: at(lastMonth + place * minuteUs), spec: { apiType: { group: 'kubedb.com', kind: mode } },
  }));
  await billing.enter(6, randomUUID(), product, events);
  await billing.renewed();
  await billing.rows.execute(sql`
    update usage_segment set class = 'prod', contract_id = 1 where owner_id = 6 and mode = 'prod'`);
  await expect(rowsOf(clustersView('productdb'), 6, 'billable')).resolves.toMatchObject([
    { mode: 'qa', objects: 1, kinds: [{ kind: 'prod' }] },
  ]);
});

/** Binds clusters to contracts that begin in the last month. Each binding has the id of its contract. */
async function bind(ownerId: number, start: number, contracts: readonly { id: number; clusterUid: string }[]) {
  await billing.rows.transact(async (transaction) => {
    await applyContracts(transaction, contracts.map(({ id }) => ({ key: String(id), value: {
      id, ownerId, name: `contract ${id}`, product: 'productdb', start: at(start), end: at(nextMonth(lastMonth)),
      revokedAt: null, deletedAt: null, enableClientBilling: false, quota: null,
    } })));
    await applyContractClusters(transaction, contracts.map(({ id, clusterUid }) => (
      { key: String(id), value: { id, contractId: id, clusterUid, removedAt: null } }
    )));
  });
  await billing.renewed();
}

it('the mode of a cluster is that of its latest event, not of the latest border of a contract', async () => {
  const [ownerId, clusterUid] = [9, randomUUID()];
  await billing.enter(ownerId, clusterUid, product, [
    { uid: 'a', mode: 'prod', time: at(lastMonth + 30 * minuteUs) },
    { uid: 'b', mode: 'dev', time: at(lastMonth + 60 * minuteUs) },
  ]);
  await bind(ownerId, lastMonth + 90 * minuteUs, [{ id: 9, clusterUid }]);
  await expect(billing.rows.query(sql`
    select from usage_segment where owner_id = ${ownerId} and contract_id = 9`)).resolves.toHaveLength(2);
  await expect(rowsOf(clustersView('productdb'), ownerId)).resolves.toMatchObject([{ mode: 'dev', objects: 2 }]);
});

it('contracts with the same use come in the order of their numbers', async () => {
  const contracts = [100, 20, 3].map((id) => ({ id, clusterUid: randomUUID() }));
  for (const { clusterUid } of contracts) {
    await billing.enter(11, clusterUid, product, [{ uid: 'a', time: at(lastMonth) }]);
  }
  await bind(11, lastMonth, contracts);
  await expect(rowsOf(contractsView('productdb'), 11)).resolves.toMatchObject([3, 20, 100].map((contractID) => ({ contractID })));
});

async function rowsOf(view: MonthView, ownerId: number, viewType = 'total') {
  const account = { kind: 'organization', id: ownerId, name: 'name', standing: { administrative: false } } as Account;
  const [year, month] = firstDay(lastMonth).split('-') as [string, string];
  const calling = { account, deadline: deadlineIn(10_000) };
  const { rows } = await showMonth(billing.rows, view, { year, month, viewType }, calling) as Shown;
  return rows.map((row) => JSON.parse(row) as object).toArray();
}

it('a segment goes on while events say the same', async () => {
  const clusterUid = randomUUID();
  const enter = (generation: number, minute: number, cpu: number) => billing.enter(10, clusterUid, product, [
    { uid: 'a', generation, time: at(lastMonth + minute * minuteUs), cpu },
  ]);
  const segments = async () => (await billing.rows.query(sql<Record<'from' | 'to' | 'event' | 'cpu', number>>`
    select (from_us - ${lastMonth}::bigint) / ${minuteUs} as "from", (to_us - ${lastMonth}::bigint) / ${minuteUs} as "to",
           (event_us - ${lastMonth}::bigint) / ${minuteUs} as "event", (cpu / 1000000000)::integer as "cpu"
      from usage_segment where owner_id = 10 order by from_us`)).map(({ from, to, event, cpu }) => [from, to, event, cpu]);
  for (const minute of [0, 30, 60]) {
    await enter(minute, minute, 1);
    await billing.renewed();
  }
  expect(await segments()).toEqual([[0, 180, 60, 1]]);
  // A late event in the middle splits the segment.
  await enter(1, 40, 2);
  await billing.renewed();
  expect(await segments()).toEqual([[0, 40, 30, 1], [40, 60, 40, 2], [60, 180, 60, 1]]);
  // A time without events also splits the segment.
  await enter(300, 300, 1);
  await billing.renewed();
  expect(await segments()).toEqual([[0, 40, 30, 1], [40, 60, 40, 2], [60, 180, 60, 1], [300, 420, 300, 1]]);
  // The previous version of the service begins a segment at each event, which also splits the old segment. It does not
  // know the last event, so both segments have no time of an event.
  await billing.rows.execute(sql`
    insert into usage_segment (
      metered_id, from_us, to_us, month, owner_id, product, cpu, memory, contract_id, class, mode
    )
    select metered_id, ${lastMonth + 360 * minuteUs}, to_us, month, owner_id, product, cpu, memory, contract_id, class,
           mode
      from usage_segment where owner_id = 10 and to_us = ${lastMonth + 420 * minuteUs}`);
  expect((await segments()).slice(3)).toEqual([[300, 360, null, 1], [360, 420, null, 1]]);
  await expect(useOf(10, now, lastMonth)).resolves.toEqual([40 + 2 * 20 + 120 + 120]);
});

it('names of objects may have any characters', async () => {
  const name = 'a"b\\c\td\ne\u0001f</script>ü\u{1f600}';
  const uid = `${name} uid`;
  const namespace = `${name} namespace`;
  const clusterUid = randomUUID();
  await billing.enter(7, clusterUid, product, [{
    uid, name, namespace, mode: name, time: at(lastMonth), spec: { apiType: { group: `${name} group`, kind: name } },
  }, { uid: 'z', time: at(lastMonth) }]);
  await billing.renewed();
  await billing.rows.execute(sql`update usage_segment set class = 'nonProd', contract_id = 1 where owner_id = 7`);
  const account = { kind: 'organization', id: 7, name: 'seven', standing: { administrative: false } } as Account;
  const [year, month] = firstDay(lastMonth).split('-') as [string, string];
  const calling = { account, deadline: deadlineIn(10_000) };
  const shown = { objectID: uid, group: `${name} group`, kind: name, name, namespace, clusterUID: clusterUid };
  for (const [show, more] of [
    [showMonth(billing.rows, objectsView, { year, month }, calling), { namespaceUID: `ns-${namespace}`, mode: name }],
    [showSummaries(billing.rows, { year, month }, calling), {}],
    [showClusterModes(billing.rows, { year, month }, calling), {}],
  ] as const) {
    const { rows } = await show as Shown;
    expect(rows.map((row) => JSON.parse(row) as object).toArray()).toMatchObject([{ ...shown, ...more }, { objectID: 'z' }]);
  }
});

it('a month that has not begun is not generated, also where an event is early', async () => {
  // Two months ahead, because the next month may begin during the test.
  const early = nextMonth(nextMonth(monthOf(now))) + minuteUs;
  await billing.enter(8, randomUUID(), product, [
    { uid: 'a', time: at(lastMonth) }, { uid: 'a', generation: 2, time: at(early) },
  ]);
  await billing.renewed();
  const account = { kind: 'organization', id: 8, name: 'eight', standing: { administrative: false } } as Account;
  const [year, month] = firstDay(early).split('-') as [string, string];
  const calling = { account, deadline: deadlineIn(10_000) };

  await expect(showMonth(billing.rows, objectsView, { year, month }, calling)).rejects.toMatchObject({ reason: 'NOT_FOUND' });
  const monthsAt = (until: number) => readGeneratedMonths(billing.rows, 8, until, deadlineIn(10_000));
  expect(await monthsAt(now)).toEqual([firstDay(lastMonth)]);
  expect(await monthsAt(early)).toEqual([firstDay(lastMonth), firstDay(early)]);
});

interface Shown {
  readonly rows: IteratorObject<string>;
}
