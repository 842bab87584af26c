import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sql, type Transaction } from '@platform/postgres';
import { type Billing, startBilling } from '../fixtures/billing.ts';
import { applyContractClusters, applyContracts } from '../projections/apply-contracts.ts';

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

/** A contract for one cluster, active since an hour ago. Its id is that of its binding. */
interface Bound {
  readonly id: number;
  readonly ownerId: number;
  readonly clusterUid: string;
  readonly end?: string;
}

async function applyBound(transaction: Transaction, contracts: readonly Bound[]): Promise<void> {
  await applyContracts(transaction, contracts.map(({ id, ownerId, end = minutesAgo(-60) }) => ({
    key: String(id), value: {
      id, ownerId, name: `contract ${id}`, product: 'productdb', start: minutesAgo(60), end, revokedAt: null,
      deletedAt: null, enableClientBilling: false, quota: null,
    },
  })));
  await applyContractClusters(transaction, contracts.map(({ id, clusterUid }) => (
    { key: String(id), value: { id, contractId: id, clusterUid, removedAt: null } }
  )));
}

/** Contracts and classes of the use of an owner, each pair once: use is cut at the borders of months. */
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
