import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect, sql, type Transaction } from '@platform/postgres';
import { createLogger, createMetrics } from '@platform/service';
import { http, until } from '@platform/testing';
import { type Billing, startBilling } from '../fixtures/billing.ts';
import { applyContractClusters, applyContracts } from '../projections/apply-contracts.ts';
import { keepUsageRenewed } from './keep-renewed.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await startBilling();
}, 60_000);
afterAll(async () => {
  await billing?.[Symbol.asyncDispose]();
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const enterObject = (ownerId: number, clusterUid: string) =>
  billing.enter(ownerId, clusterUid, 'productdb-enterprise', [{ uid: 'a', time: minutesAgo(30) }]);

/** A contract with one cluster. It began an hour ago, and ends in a day by default. The binding has the same id. */
interface Bound {
  readonly id: number;
  readonly ownerId: number;
  readonly clusterUid: string;
  readonly end?: string;
}

async function applyBound(transaction: Transaction, contracts: readonly Bound[]): Promise<void> {
  await applyContracts(transaction, contracts.map(({ id, ownerId, end = minutesAgo(-1440) }) => ({
    key: String(id), value: {
      id, ownerId, name: `contract ${id}`, product: 'productdb', start: minutesAgo(60), end, revokedAt: null,
      deletedAt: null, enableClientBilling: false, quota: null,
    },
  })));
  await applyContractClusters(transaction, contracts.map(({ id, clusterUid }) => (
    { key: String(id), value: { id, contractId: id, clusterUid, removedAt: null } }
  )));
}

/** Returns the distinct pairs of contract and class in an owner's usage, because usage is split by month. */
function termsOf(ownerId: number) {
  return billing.rows.query(sql<{ contractId: number; class: string }>`
    select distinct contract_id as "contractId", class from usage_segment where owner_id = ${ownerId}`);
}

it('use counts under a contract with an end far in the future; of two such, under the one that ends last', async () => {
  const [ownerId, clusterUid] = [1, randomUUID()];
  await enterObject(ownerId, clusterUid);
  await billing.rows.transact((transaction) => applyBound(transaction, [
    { id: 1, ownerId, clusterUid, end: '9998-12-31T00:00:00Z' },
    { id: 2, ownerId, clusterUid, end: '9999-12-31T23:59:59Z' },
  ]));
  await billing.renewed();
  await expect(termsOf(ownerId)).resolves.toEqual([{ contractId: 2, class: 'nonProd' }]);
}, 60_000);

it('an object first seen while its contract is applied comes under it once that is committed', async () => {
  const [ownerId, clusterUid] = [2, randomUUID()];
  const [applied, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const applying = billing.rows.transact(async (transaction) => {
    await applyBound(transaction, [{ id: 3, ownerId, clusterUid }]);
    applied.resolve();
    await commit.promise;
  });
  try {
    await applied.promise;
    await enterObject(ownerId, clusterUid);
    await billing.renewed();
    await expect(termsOf(ownerId)).resolves.toEqual([{ contractId: 0, class: 'none' }]);
  } finally {
    commit.resolve();
  }
  await applying;
  await billing.renewed();
  await expect(termsOf(ownerId)).resolves.toEqual([{ contractId: 3, class: 'nonProd' }]);
}, 60_000);

it('a contract is applied while an object of its cluster is locked', async () => {
  const [ownerId, clusterUid] = [3, randomUUID()];
  await enterObject(ownerId, clusterUid);
  await billing.renewed();
  await billing.rows.transact(async (other) => {
    await other.execute(sql`select from metered_object where owner_id = ${ownerId} for update`);
    await billing.rows.transact((transaction) => applyBound(transaction, [{ id: 4, ownerId, clusterUid }]));
  });
  await billing.renewed();
  await expect(termsOf(ownerId)).resolves.toEqual([{ contractId: 4, class: 'nonProd' }]);
}, 60_000);

it('objects that cannot be renewed do not keep others from it', async () => {
  const ownerId = 4;
  // The renewal of an object without events always fails. Such objects occur only here, and are first in the queue.
  await billing.rows.execute(sql`
    insert into metered_object (owner_id, cluster_uid, product, object_uid, first_at, due_from, due_since)
    select ${ownerId}, ${randomUUID()}::uuid, 'productdb', number::text, now(), '-infinity', '-infinity'
      from generate_series(1, 10) number`);
  await enterObject(ownerId, randomUUID());
  await until(async () => (await termsOf(ownerId)).length > 0, { what: 'the other object is renewed' });
  const { due } = await billing.rows.one(sql<{ due: number }>`
    select count(*)::integer as "due" from metered_object where due_from is not null`);
  expect(due).toBe(10);
  const { text } = await http(`http://${billing.service.addresses['admin']!}`).get('/metrics');
  expect(Number(/^usage_renewals_postponed_total\S* (\d+)$/m.exec(text)![1])).toBeGreaterThan(0);
  await billing.rows.execute(sql`delete from metered_object where owner_id = ${ownerId} and due_from is not null`);
}, 60_000);

it('waits for longer and longer while PostgreSQL is away', async () => {
  await using stack = new AsyncDisposableStack();
  const failures: unknown[] = [];
  const log = createLogger({
    service: 'spec', destination: { write: (line) => failures.push((JSON.parse(line) as { failures?: number }).failures) },
  });
  const away = stack.use(connect({ url: 'postgres://nobody@127.0.0.1:9/none', applicationName: 'spec' }));
  const metrics = createMetrics({ service: 'spec', defaults: false });
  keepUsageRenewed({ stack, log, metrics }, away);
  await until(() => failures.includes(2), { what: 'the loop counts a second failure' });
});
