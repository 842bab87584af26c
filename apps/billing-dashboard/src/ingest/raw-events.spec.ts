import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { type Billing, startBilling } from '../fixtures/billing.ts';
import { createRawEvents, type VersionKey } from './raw-events.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await startBilling();
}, 60_000);
afterAll(async () => {
  await billing?.[Symbol.asyncDispose]();
});

/** What lists show of an object with further metadata. */
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
  // 10 bytes of the name, 92 of the text.
  ['entries beyond 2 KiB', { labels: entriesOf(100, 'x'.repeat(90)) }, {
    ...usual, labels: entriesOf(20, 'x'.repeat(90)),
  }],
  ['maps of a megabyte', { labels: entriesOf(50_000, 'x'), annotations: { huge: 'x'.repeat(1e6) } }, usual],
])('lists leave out %s', async (_, metadata, shown) => {
  expect((await headOf(metadata)).metadata).toEqual(shown);
});
