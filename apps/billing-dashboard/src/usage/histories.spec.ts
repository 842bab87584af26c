import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import type { Account } from '@platform/rpc';
import { deadlineIn } from '@platform/service';
import { type Billing, startBilling } from '../fixtures/billing.ts';
import type { SpecEvent } from '../fixtures/events.ts';
import { findVersionsOf, readVersions } from './read-versions.ts';
import { readMonth } from './month.ts';
import { showMonthHistory } from './object-views.ts';
import { readHistory } from './history.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await startBilling();
}, 60_000);
afterAll(async () => {
  await billing?.[Symbol.asyncDispose]();
});

const product = 'productdb-enterprise';
const deadline = () => deadlineIn(10_000);
const callingAs = (id: number) => ({
  account: { kind: 'organization', id, name: 'acme', standing: { administrative: false } } as Account,
  deadline: deadline(),
});

/** Enters events of one object at given times, of the year 2026. */
async function enterEvents(ownerId: number, events: readonly (readonly [string, SpecEvent['action']?])[]) {
  const clusterUid = randomUUID();
  await billing.enter(ownerId, clusterUid, product, events.map(([time, action = 'updated'], place) => ({
    uid: 'a', generation: place, time: `2026-${time}:00Z`, action, cpu: place,
  })));
  await billing.renewed();
  const { id } = await billing.rows.one(sql<{ id: number }>`
    select id from metered_object where cluster_uid = ${clusterUid}::uuid`);
  return {
    id,
    historyIn: async (month: string) => {
      const path = { year: '2026', month, clusterUid, objectId: 'a' };
      const { history } = await showMonthHistory(billing.rows, path, callingAs(ownerId)) as Shown;
      return history.map((text) => JSON.parse(text) as Entry)
        .map(({ event, from, to, cpu }) => [event, from.slice(5, 16), to?.slice(5, 16), cpu]).toArray();
    },
  };
}

interface Entry {
  readonly event: string;
  readonly from: string;
  readonly to?: string;
  readonly cpu: number;
}

interface Shown {
  readonly history: IteratorObject<string>;
}

const lives = [
  ['02-01T10:00', 'created'], ['02-02T10:00'], ['02-03T10:00', 'deleted'],
  ['02-28T23:30'], ['03-01T00:00'], ['03-01T01:00', 'deleted'], ['03-31T23:00'], ['04-01T00:00'], ['04-02T10:00'],
  ['05-02T10:00'],
] as const;

it('the history of a month is read with what surrounds the month, and no more', async () => {
  const { id, historyIn } = await enterEvents(1, lives);
  const timesOf = async (month: string) => {
    const versions = await findVersionsOf(billing.rows, id, readMonth({ year: '2026', month }), { deadline: deadline() });
    const read = await readVersions(billing.rows, [versions], null, { deadline: deadline() });
    return (read.get(id) ?? []).map(({ at }) => new Date(at / 1000).toISOString().slice(5, 16));
  };
  const times = lives.map(([time]) => time);
  expect(await timesOf('1')).toEqual(times.slice(0, 1));
  expect(await timesOf('2')).toEqual(times.slice(0, 5));
  expect(await timesOf('3')).toEqual(times.slice(2, 8));
  expect(await timesOf('4')).toEqual(times.slice(5, 10));
  expect(await timesOf('5')).toEqual(times.slice(7, 10));
  expect(await timesOf('6')).toEqual(times.slice(8, 10));

  expect(await historyIn('3')).toEqual([
    // The object existed at the start of the month, but its first row in the month is an event.
    ['updated', '03-01T00:00', '03-01T01:00', 4], ['deleted', '03-01T01:00', '03-31T23:00', 0],
    ['created', '03-31T23:00', '04-01T00:00', 6],
  ]);
  expect(await historyIn('4')).toEqual([
    ['updated', '04-01T00:00', '04-01T02:00', 7], ['stale', '04-01T02:00', '04-02T10:00', 0],
    ['updated', '04-02T10:00', '04-02T12:00', 8], ['stale', '04-02T12:00', '05-02T10:00', 0],
  ]);
});

it('what a month begins with is new where it follows a deletion, or nothing', async () => {
  const first = await enterEvents(2, [['03-31T23:30'], ['04-01T00:30']]);
  const again = await enterEvents(2, [['03-01T10:00'], ['03-02T10:00', 'deleted'], ['03-31T23:30'], ['04-01T00:30']]);
  const changed = await enterEvents(2, [['03-01T10:00'], ['03-31T23:30'], ['04-01T00:30']]);
  const events = async (object: typeof first) => (await object.historyIn('4')).map(([event]) => event);
  expect(await events(first)).toEqual(['created', 'updated', 'stale']);
  expect(await events(again)).toEqual(['created', 'updated', 'stale']);
  expect(await events(changed)).toEqual(['updated', 'updated', 'stale']);
});

it('a history in parts is the whole one', async () => {
  const { id } = await enterEvents(3, lives);
  const inParts = async (most?: number) =>
    (await Array.fromAsync(readHistory(billing.rows, { id, from: null }, deadline(), most))).flat();
  const whole = await inParts();
  expect(whole.filter(({ event }) => event === 'created')).toHaveLength(3);
  for (const most of [3, 4, 5, lives.length, lives.length + 1]) expect(await inParts(most)).toEqual(whole);
});
