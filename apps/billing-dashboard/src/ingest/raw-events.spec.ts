import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Member } from '@platform/bus';
import { sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { type Billing, startBilling } from '../fixtures/billing.ts';
import { subjectOf } from '../fixtures/events.ts';
import { createKeptShares, type KeptLimits } from './kept-events.ts';
import { dropOldParkedEvents, parkEvents } from './parked-events.ts';
import { createRawEvents, type VersionKey } from './raw-events.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await startBilling();
}, 60_000);
afterAll(async () => {
  await billing?.[Symbol.asyncDispose]();
});

/** The head that lists show for an object with this additional metadata. */
async function headOf(metadata: Readonly<Record<string, unknown>>) {
  const clusterUid = randomUUID();
  await billing.enter(1, clusterUid, 'scanner', [{ uid: 'a', metadata }]);
  const keys = await billing.rows.query(sql<VersionKey>`
    select object_id as "objectId", version, received_at as "receivedAt"
      from object_version join reported_object on id = object_id where cluster_uid = ${clusterUid}::uuid`);
  const [head] = await createRawEvents(billing.rows).readHeads(keys, deadlineIn(10_000));
  return head!;
}

const usual = { name: 'db-a', namespace: 'demo', uid: 'a' };
const entriesOf = (count: number, text: string) => Object.fromEntries(
  Array.from({ length: count }, (_, place) => [`key-${String(place).padStart(6, '0')}`, text]),
);

it('lists show what they show of any object, as it is', async () => {
  const metadata = {
    generation: 3, labels: { app: 'orders', empty: '' }, annotations: {}, creationTimestamp: null,
  };
  expect(await headOf({ ...metadata, resourceVersion: '17', managedFields: [{ manager: 'helm' }] })).toEqual({
    apiVersion: 'core.k8s.platform.dev/v1alpha1', kind: 'GenericResource', metadata: { ...usual, ...metadata },
  });
});

it.each<[string, Readonly<Record<string, unknown>>, object]>([
  ['long values', { uid: 'u'.repeat(511), generation: 'g'.repeat(1e6) }, { name: 'db-a', namespace: 'demo' }],
  ['lists and objects as values', { name: { first: 'db' }, labels: ['a'], annotations: { a: {}, b: [], c: 'c' } }, {
    namespace: 'demo', uid: 'a', annotations: { c: 'c' },
  }],
  ['large entries alone', { annotations: { 'last-applied': 'x'.repeat(10_000), ['y'.repeat(600)]: '', owner: 'shop' } }, {
    ...usual, annotations: { owner: 'shop' },
  }],
  // Each entry takes 102 bytes: 10 for the key, 92 for the value.
  ['entries beyond 2 KiB', { labels: entriesOf(100, 'x'.repeat(90)) }, {
    ...usual, labels: entriesOf(20, 'x'.repeat(90)),
  }],
  ['maps of a megabyte', { labels: entriesOf(50_000, 'x'), annotations: { huge: 'x'.repeat(1e6) } }, usual],
])('lists leave out %s', async (_, metadata, shown) => {
  expect((await headOf(metadata)).metadata).toEqual(shown);
});

describe('quotas of kept events', () => {
  const plenty: KeptLimits = { keptEvents: 1e9, keptBytes: 1e12, parkedEvents: 1e9, parkedBytes: 1e12 };
  const memberOf = (ownerId: number): Member => ({ ownerId, clusterUid: randomUUID(), productName: 'scanner' });
  async function refusals(limits: Partial<KeptLimits>, ...members: readonly Member[]) {
    const shares = createKeptShares(billing.rows, { ...plenty, ...limits });
    await shares.look(deadlineIn(10_000));
    return members.map((member) => shares.refusalOf(member)?.reason);
  }
  const enter = ({ ownerId, clusterUid, productName }: Member, ...uids: readonly string[]) =>
    billing.enter(ownerId, clusterUid, productName, uids.map((uid) => ({ uid, time: '2026-11-01T00:00:00Z' })));
  const fullOfMember = 'the quota of raw events of the product in the cluster is full';
  const fullOfOrganization = 'the quota of raw events of the owner is full';

  it('refuse a member that has half of them, all of an organization that has them, and nobody else', async () => {
    const [one, two, other] = [memberOf(21), memberOf(21), memberOf(22)];
    await enter(one, 'a', 'b');
    await enter(two, 'a');
    await enter(other, 'a');
    expect(await refusals({ keptEvents: 4 }, one, two, other)).toEqual([fullOfMember, undefined, undefined]);
    // A repeated event adds nothing.
    await enter(two, 'a');
    expect(await refusals({ keptEvents: 4 }, two)).toEqual([undefined]);
    await enter(two, 'b');
    expect(await refusals({ keptEvents: 4 }, one, two, other)).toEqual([fullOfOrganization, fullOfOrganization, undefined]);
    expect(await refusals({ keptEvents: 5 }, one, two, other)).toEqual([undefined, undefined, undefined]);
    expect(await refusals({ keptBytes: 2_000 }, one, other)).toEqual([fullOfOrganization, undefined]);
  });

  it('have room again once old events are dropped', async () => {
    const old = memberOf(23);
    const rawEvents = createRawEvents(billing.rows);
    await billing.take(23, old.clusterUid, old.productName, [
      { event: { uid: 'a', time: '2020-02-10T00:00:00Z' }, storedAt: new Date('2020-02-10T00:00:00Z') },
      { event: { uid: 'b', time: '2020-02-10T00:00:00Z' }, storedAt: new Date('2020-02-11T00:00:00Z') },
    ]);
    expect(await refusals({ keptEvents: 4 }, old)).toEqual([fullOfMember]);
    expect(await rawEvents.dropOld(deadlineIn(10_000))).toEqual(['raw_event_2020_02']);
    expect(await refusals({ keptEvents: 4 }, old)).toEqual([undefined]);
  });

  it('of parked events end with the rows', async () => {
    const [mine, others] = [memberOf(24), memberOf(25)];
    const park = ({ ownerId, clusterUid, productName }: Member, storedAt: Date, count: number) => parkEvents(
      billing.rows,
      Array.from({ length: count }, (_, sequence) => ({
        message: { subject: subjectOf(ownerId, clusterUid, productName), data: Buffer.from('{'), sequence, storedAt },
        reason: 'malformed', detail: '',
      })),
    );
    const long = new Date('2020-02-10T00:00:00Z');
    for (let round = 0; round < 2; round += 1) await park(mine, long, 5);
    await park(others, new Date(), 5);
    const full = 'the quota of parked events of the product in the cluster is full';
    expect(await refusals({ parkedEvents: 12 }, mine, others)).toEqual([undefined, undefined]);
    expect(await refusals({ parkedEvents: 8 }, mine, others)).toEqual([full, full]);
    expect(await dropOldParkedEvents(billing.rows, deadlineIn(10_000))).toBe(5);
    expect(await refusals({ parkedEvents: 8 }, mine, others)).toEqual([undefined, full]);
  });

  it('take nothing before it is known what is kept', () => {
    expect(createKeptShares(billing.rows, plenty).refusalOf(memberOf(26))?.retrySeconds).toBe(1);
  });
});
