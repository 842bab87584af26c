import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Queryable, sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { type Billing, startBilling } from '../fixtures/billing.ts';
import type { SpecEvent } from '../fixtures/events.ts';
import { renewUsage } from './renew-usage.ts';
import { reportAll } from './namespace-reports.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await startBilling();
}, 60_000);
afterAll(async () => {
  await billing?.[Symbol.asyncDispose]();
});

const product = 'productdb-enterprise';
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const numbersTo = (count: number) => Array.from({ length: count }, (_, place) => place);

it('usage of many versions is renewed in parts', async () => {
  const clusterUid = randomUUID();
  const events = numbersTo(20).map((place): SpecEvent => (
    { uid: 'a', generation: place, time: minutesAgo(500 - 10 * place), cpu: place }
  ));
  // More events with the same time than fit into one part: the event with the highest generation counts.
  const { time } = events[7]!;
  const ofOneTime = numbersTo(6).map((place): SpecEvent => ({ uid: 'a', generation: 100 + place, time: time!, cpu: 99 }));
  await billing.enter(1, clusterUid, product, [...events, ...ofOneTime]);
  await billing.renewed();
  const ofCluster = sql`(select id from metered_object where cluster_uid = ${clusterUid}::uuid)`;
  const segments = (queryable: Queryable) => queryable.query(sql<{ cpu: string }>`
    select from_us, to_us, trunc(cpu / 1000000000)::text as "cpu", class
      from usage_segment where metered_id = ${ofCluster} order by from_us`);
  const whole = await segments(billing.rows);
  // Compare sets, because a segment is split at the end of a month.
  expect([...new Set(whole.map(({ cpu }) => cpu))]).toEqual(
    numbersTo(20).map((place) => String(place === 7 ? 99 : place)),
  );
  const [parts, inParts] = await billing.rows.transact(async (transaction) => {
    await transaction.execute(sql`update usage_segment set cpu = 1 where metered_id = ${ofCluster}`);
    await transaction.execute(sql`
      update metered_object set due_from = '-infinity', due_since = '-infinity' where id = ${ofCluster}`);
    let count = 0;
    while (await renewUsage(transaction, { objects: 1, versions: 5, settledMs: 0 })) count += 1;
    return [count, await segments(transaction)];
  });
  expect(inParts).toEqual(whole);
  // The first part reads 5 versions. Each later part reads the last 2 versions of the previous part and 3 new versions.
  expect(parts).toBe(7);
});

it('use of a long history stays whole while it is renewed in parts', async () => {
  const clusterUid = randomUUID();
  await billing.enter(3, clusterUid, product, numbersTo(20).map((place): SpecEvent => (
    { uid: 'a', generation: place, time: minutesAgo(500 - 10 * place), cpu: place === 11 ? 5 : 1 }
  )));
  await billing.renewed();
  const ofCluster = sql`(select id from metered_object where cluster_uid = ${clusterUid}::uuid)`;
  const segments = (queryable: Queryable) => queryable.query(sql<{ from_us: number; to_us: number; use: string }>`
    select *, cpu * (to_us - from_us) as "use" from usage_segment where metered_id = ${ofCluster} order by from_us`);
  const whole = await segments(billing.rows);
  const sum = (rows: readonly { use: string }[]) => rows.reduce((all, { use }) => all + BigInt(use), 0n);
  await billing.rows.transact(async (transaction) => {
    await transaction.execute(sql`
      update metered_object set due_from = '-infinity', due_since = '-infinity' where id = ${ofCluster}`);
    let isMore = true;
    for (let part = 0; isMore; part += 1) {
      isMore = await renewUsage(transaction, { objects: 1, versions: 5, settledMs: 0 });
      const rows = await segments(transaction);
      expect([part, sum(rows)]).toEqual([part, sum(whole)]);
      for (const [place, row] of rows.slice(1).entries()) expect(row.from_us).toBe(rows[place]!.to_us);
    }
    await expect(segments(transaction)).resolves.toEqual(whole);
  });
  // The end of a month may add a segment.
  expect(whole.length).toBeLessThanOrEqual(4);
});

it('namespaces of many objects and versions are reported whole', async () => {
  const ownerId = 2;
  const clusters = [randomUUID(), randomUUID()].toSorted();
  const volume = (size: string) => ({ storage: [{ uid: 'v', name: 'data', resources: { requests: { storage: size } } }] });
  const [first] = clusters as [string, string];
  await billing.enter(ownerId, first, product, numbersTo(450).map((place): SpecEvent => ({
    uid: 'a', generation: place, time: minutesAgo(500 - place), namespace: 'shop', spec: volume(place < 300 ? '1Gi' : '2Gi'),
  })));
  await billing.enter(ownerId, first, product, numbersTo(230).map((place): SpecEvent => (
    { uid: `b${place}`, time: minutesAgo(10), namespace: place < 120 ? 'shop' : 'test' }
  )));
  await billing.enter(ownerId, clusters[1]!, product, [{ uid: 'c', time: minutesAgo(10), namespace: 'shop' }]);
  await billing.enter(ownerId, randomUUID(), product, [{ uid: 'not covered', time: minutesAgo(10) }]);
  await billing.renewed();
  await billing.rows.execute(sql`
    insert into contract (id, owner_id, name, product, starts_at, ends_at, enable_client_billing)
    values (1, ${ownerId}, 'c', 'productdb', now() - interval '1 day', now() + interval '1 day', true)`);
  await billing.rows.execute(sql`
    insert into contract_cluster (id, contract_id, cluster_uid)
    select number, 1, uid from unnest(${clusters}::uuid[]) with ordinality as bound (uid, number)`);

  const texts = await Array.fromAsync(reportAll(billing.rows, ownerId, deadlineIn(30_000)));

  const { namespaces } = JSON.parse(texts.join('')) as { namespaces: Report[] };
  expect(namespaces.map(({ clusterInfo, namespaceInfo, databases }) =>
    [clusterInfo.uid, namespaceInfo.name, databases.length],
  )).toEqual([[first, 'shop', 121], [first, 'test', 110], [clusters[1], 'shop', 1]]);
  const shown = namespaces.flatMap(({ databases }) => databases);
  expect(new Set(shown.map(({ databaseInfo }) => databaseInfo.uid)).size).toBe(232);
  expect(shown.find(({ databaseInfo }) => databaseInfo.uid === 'a')!.volumeDetails).toMatchObject([
    { name: 'data', initialSize: '1Gi', expansions: [{ size: '2Gi' }] },
  ]);
});

interface Report {
  readonly clusterInfo: { readonly uid: string };
  readonly namespaceInfo: { readonly name: string };
  readonly databases: readonly { readonly databaseInfo: { readonly uid: string }; readonly volumeDetails: object[] }[];
}
