import { randomUUID } from 'node:crypto';
import { mock } from 'node:test';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { seeded, type SeededRandom, seedOfRun } from '@platform/testing';
import { type Billing, startBilling } from '../fixtures/billing.ts';
import type { SpecEvent } from '../fixtures/events.ts';
import { applyContractClusters, applyContracts } from '../projections/apply-contracts.ts';
import { reportAll } from './namespace-reports.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await startBilling();
}, 60_000);
afterAll(async () => {
  await billing?.[Symbol.asyncDispose]();
});

const product = 'productdb-enterprise';
const begun = Date.now();
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

/** Binds a cluster to a contract, by default with client billing. */
async function bindCluster(ownerId: number, clusterUid: string, enableClientBilling = true): Promise<void> {
  await billing.rows.transact(async (transaction) => {
    await applyContracts(transaction, [{ key: String(ownerId), value: {
      id: ownerId, ownerId, name: 'all', product: 'productdb', start: hoursAgo(1), end: hoursAgo(-24), revokedAt: null,
      deletedAt: null, enableClientBilling, quota: null,
    } }]);
    await applyContractClusters(transaction, [
      { key: String(ownerId), value: { id: ownerId, contractId: ownerId, clusterUid, removedAt: null } },
    ]);
  }, { deadline: deadlineIn(10_000) });
}

/** Returns the report at one fixed time, because the ages in it grow. */
async function reported(ownerId: number): Promise<string> {
  const clock = mock.method(Date, 'now', () => begun);
  try {
    return (await Array.fromAsync(reportAll(billing.rows, ownerId, deadlineIn(30_000)))).join('');
  } finally {
    clock.mock.restore();
  }
}

function keptTexts(ownerId: number) {
  return billing.rows.query(sql<{ uid: string; report: string }>`
    select object_uid as "uid", report
      from database_report join metered_object object on object.id = metered_id
     where owner_id = ${ownerId} order by object_uid`);
}

/** Renews all usage of an owner, as after a change of terms. */
async function renewAgain(ownerId: number): Promise<void> {
  await billing.rows.execute(sql`
    update metered_object set due_from = '-infinity', due_since = now() where owner_id = ${ownerId}`);
  await billing.renewed();
}

function forgetTexts() {
  return billing.rows.execute(sql`delete from database_report`);
}

/** Members may send any values, such as texts with our separators, and invalid times and sizes. */
const oddTexts = ['a', '', 'tab\tand\nline', '"\\t1\\t"', '\u001f\u007f é 😀', '__proto__'];
const oddTimes = ['2026-01-02T00:00:00Z', '', 'soon', '1960-01-01T00:00:00Z', '2999-01-01T00:00:00Z'];
const oddSizes = ['10Gi', '20Gi', '1e3', 'many', '', 7];

function randomEvent(random: SeededRandom, uid: string): SpecEvent {
  const volumes = Array.from({ length: random.integer(0, 3) }, () => ({
    ...(random.chance(0.5) ? { uid: random.pick(['v1', 'v2', 'v3']) } : {}), name: random.pick(oddTexts),
    creationTimestamp: random.pick(oddTimes), resources: { requests: { storage: random.pick(oddSizes) } },
  }));
  const pods = Array.from({ length: random.integer(0, 3) }, (_, place) => ({
    name: `pod-${place}`, creationTimestamp: random.pick(oddTimes),
    containers: [{ name: 'db', resource: { limits: { cpu: random.pick(['1', '500m']), memory: random.pick(oddSizes) } } }],
  }));
  const namespace = random.pick(oddTexts);
  return {
    uid, generation: random.integer(1, 1_000_000), time: hoursAgo(random.integer(1, 9 * 744)),
    action: random.pick(['created', 'updated', 'updated', 'deleted']), name: random.pick(oddTexts),
    spec: {
      pods, storage: volumes,
      namespace: {
        name: namespace, uid: random.pick(['one', 'other']), aceOrgID: random.pick(['', '5', oddTexts[2]]),
        creationTimestamp: random.pick(oddTimes), aceOrgMetadata: { 'client.platform.dev/a': random.pick(oddTexts) },
      },
    },
  };
}

it('a kept text equals a text made of all versions, for odd events in any order', async () => {
  const [ownerId, clusterUid] = [1, randomUUID()];
  const random = seeded(seedOfRun());
  await bindCluster(ownerId, clusterUid);
  for (let round = 0; round < 3; round += 1) {
    const events = Array.from({ length: 120 }, () => randomEvent(random, `object-${random.integer(1, 40)}`));
    await billing.enter(ownerId, clusterUid, product, events);
    await billing.renewed();
    const kept = await reported(ownerId);
    expect((await keptTexts(ownerId)).length).toBeGreaterThan(20);
    await forgetTexts();
    expect(await reported(ownerId)).toBe(kept);
    await renewAgain(ownerId);
    expect(await reported(ownerId)).toBe(kept);
    expect((await keptTexts(ownerId)).length).toBeGreaterThan(20);
  }
}, 120_000);

it('a text goes with the event that changes what it says, and stays with a repeat', async () => {
  const [ownerId, clusterUid] = [2, randomUUID()];
  const ofSize = (storage: string) => ({ storage: [{ name: 'data', resources: { requests: { storage } } }] });
  await bindCluster(ownerId, clusterUid);
  const first = { uid: 'a', generation: 1, time: hoursAgo(9), spec: ofSize('10Gi') };
  await billing.enter(ownerId, clusterUid, product, [first]);
  await billing.renewed();
  const [before] = await keptTexts(ownerId);
  expect(before!.report).toContain('"initialSize":"10Gi","expansions":[]');
  await billing.enter(ownerId, clusterUid, product, [{ ...first, time: hoursAgo(8) }]);
  expect(await keptTexts(ownerId)).toEqual([before]);
  await billing.renewed();
  expect(await keptTexts(ownerId)).toEqual([before]);
  await billing.enter(ownerId, clusterUid, product, [{ ...first, generation: 2, time: hoursAgo(7), spec: ofSize('20Gi') }]);
  await billing.renewed();
  expect((await keptTexts(ownerId))[0]!.report).toContain('"expansions":[{"size":"20Gi"');
  // Report an earlier time for the event.
  const earlier = hoursAgo(20);
  await billing.enter(ownerId, clusterUid, product, [{ ...first, time: earlier }]);
  await billing.renewed();
  const [after] = await keptTexts(ownerId);
  expect(after!.report).toContain(`"createdAt":${Math.floor(Date.parse(earlier) / 1000)}`);
}, 60_000);

it('a volume leaves the report 6 months after its deletion, without an event', async () => {
  const [ownerId, clusterUid] = [3, randomUUID()];
  await bindCluster(ownerId, clusterUid);
  const event = (generation: number, hours: number, ...names: string[]) =>
    ({ uid: 'a', generation, time: hoursAgo(hours), spec: { storage: names.map((name) => ({ uid: name, name })) } });
  await billing.enter(ownerId, clusterUid, product, [event(1, 900, 'old', 'new'), event(2, 800, 'new')]);
  await billing.renewed();
  expect(await reported(ownerId)).toContain('"name":"old"');
  // Pretend that 6 months have passed.
  await billing.rows.execute(sql`
    update object_version
       set seen = tstzmultirange(tstzrange(at - interval '6 months', upper(seen) - interval '6 months'))
     where owner_id = ${ownerId}`);
  expect(await keptTexts(ownerId)).toEqual([]);
  await billing.rows.execute(sql`
    insert into database_report (metered_id, last_at, namespace, report, first_deletion)
    select id, 0, '{}', '{}', extract(epoch from now() - interval '7 months')::bigint
      from metered_object where owner_id = ${ownerId}`);
  const stale = await reported(ownerId);
  expect(stale).not.toContain('"name":"old"');
  expect(stale).toContain('"name":"new"');
  await renewAgain(ownerId);
  expect(await reported(ownerId)).toBe(stale);
  expect((await keptTexts(ownerId))[0]!.report).toContain('"name":"new"');
}, 60_000);

it('texts are kept where a contract with client billing covers the cluster, from its beginning on', async () => {
  const [ownerId, clusterUid] = [4, randomUUID()];
  await bindCluster(ownerId, clusterUid, false);
  await billing.enter(ownerId, clusterUid, product, [{ uid: 'a', time: hoursAgo(9) }]);
  await billing.renewed();
  expect(await keptTexts(ownerId)).toEqual([]);
  await bindCluster(ownerId, clusterUid);
  await billing.renewed();
  expect(await keptTexts(ownerId)).toHaveLength(1);
}, 60_000);

it('an object with more versions than its renewals may read is reported without a kept text', async () => {
  const [ownerId, clusterUid] = [5, randomUUID()];
  await bindCluster(ownerId, clusterUid);
  const events = Array.from({ length: 501 }, (_, place) => (
    { uid: 'a', generation: place, time: hoursAgo(600 - place), spec: { storage: [{ name: `volume-${place % 3}` }] } }
  ));
  await billing.enter(ownerId, clusterUid, product, events.slice(1));
  await billing.renewed();
  expect(await keptTexts(ownerId)).toHaveLength(1);
  await billing.enter(ownerId, clusterUid, product, events.slice(0, 1));
  await billing.renewed();
  expect(await keptTexts(ownerId)).toEqual([]);
  expect(await reported(ownerId)).toContain('"name":"volume-2"');
}, 60_000);
