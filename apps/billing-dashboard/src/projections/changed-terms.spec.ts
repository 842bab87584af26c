import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { FactKinds } from '@platform/facts';
import { connect, type Database, sql } from '@platform/postgres';
import { testDatabase } from '@platform/testing';
import { applyContractClusters, applyContracts, applyLicences } from './apply-contracts.ts';

let rows: Database;
beforeAll(async () => {
  const { url, schema } = await testDatabase('billing-dashboard');
  rows = connect({ url, schema, applicationName: 'spec' });
});
afterAll(async () => {
  await rows?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await rows.execute(sql`truncate contract, contract_cluster, licence, changed_terms`);
});

const [one, other] = [randomUUID(), randomUUID()];

const contract: FactKinds['contract'] = {
  id: 1, ownerId: 1, name: 'c', product: 'productdb', start: '2026-01-01T00:00:00Z', end: '2027-01-01T00:00:00Z',
  revokedAt: null, deletedAt: null, enableClientBilling: false, quota: null,
};
const bound: FactKinds['contract_cluster'] = { id: 1, contractId: 1, clusterUid: one, removedAt: null };
const trial: FactKinds['licence'] = {
  id: '1', ownerId: 1, clusterUid: one, contractId: 0, plan: 'productdb-enterprise', features: ['productdb'],
  notBefore: '2026-01-01T00:00:00Z', notAfter: '2026-02-01T00:00:00Z', createdAt: '2026-01-01T00:00:00Z',
  registeredAt: null,
};

/** The places noted as changed when these facts are applied: `owner cluster product`, ascending. */
async function noted(facts: {
  readonly contract?: FactKinds['contract'] | 'gone';
  readonly bound?: FactKinds['contract_cluster'] | 'gone';
  readonly trial?: FactKinds['licence'] | 'gone';
}): Promise<string[]> {
  const factOf = <Value>(value: Value | 'gone' | undefined) =>
    (value === undefined ? [] : [{ key: '1', value: value === 'gone' ? undefined : value }]);
  const found = await rows.transact(async (transaction) => {
    await applyContracts(transaction, factOf(facts.contract));
    await applyContractClusters(transaction, factOf(facts.bound));
    await applyLicences(transaction, factOf(facts.trial));
    return transaction.query(sql<{ place: string }>`
      with gone as (delete from changed_terms returning *)
      select owner_id || ' ' || case cluster_uid when ${one}::uuid then 'one' else 'other' end || ' ' || product as "place"
        from gone order by 1`);
  });
  return found.map(({ place }) => place);
}

it('a contract that changes notes the places that it had and has', async () => {
  await expect(noted({ contract })).resolves.toEqual([]);
  await expect(noted({ bound })).resolves.toEqual(['1 one productdb']);
  await expect(noted({ contract: { ...contract, end: '2028-01-01T00:00:00Z' } })).resolves.toEqual(['1 one productdb']);
  await expect(noted({ contract: { ...contract, revokedAt: '2026-03-01T00:00:00Z' } }))
    .resolves.toEqual(['1 one productdb']);
  await expect(noted({ contract: { ...contract, ownerId: 2 } })).resolves.toEqual(['1 one productdb', '2 one productdb']);
  await expect(noted({ contract: { ...contract, ownerId: 2, product: 'productvault' } }))
    .resolves.toEqual(['2 one productdb', '2 one productvault']);
  await expect(noted({ contract: 'gone' })).resolves.toEqual(['2 one productvault']);
});

it('a binding that changes notes the clusters that it had and has', async () => {
  await noted({ contract, bound });
  await expect(noted({ bound: { ...bound, removedAt: '2026-03-01T00:00:00Z' } })).resolves.toEqual(['1 one productdb']);
  await expect(noted({ bound: { ...bound, clusterUid: other } }))
    .resolves.toEqual(['1 one productdb', '1 other productdb']);
  await expect(noted({ bound: 'gone' })).resolves.toEqual(['1 other productdb']);
});

it('a binding known before its contract is noted with the contract', async () => {
  await expect(noted({ bound })).resolves.toEqual([]);
  await expect(noted({ contract })).resolves.toEqual(['1 one productdb']);
});

it('a trial licence notes the products that it had and has', async () => {
  await expect(noted({ trial: { ...trial, contractId: 7 } })).resolves.toEqual([]);
  await expect(noted({ trial })).resolves.toEqual(['1 one productdb']);
  await expect(noted({ trial: { ...trial, features: ['productbackup'] } }))
    .resolves.toEqual(['1 one productbackup', '1 one productdb']);
  await expect(noted({ trial: 'gone' })).resolves.toEqual(['1 one productbackup']);
});

it('client billing of a contract notes its places: reports of their databases are kept', async () => {
  await noted({ contract, bound });
  await expect(noted({ contract: { ...contract, enableClientBilling: true } })).resolves.not.toEqual([]);
});

it('what does not decide about terms notes nothing', async () => {
  await noted({ contract, bound, trial });
  await expect(noted({ contract, bound, trial })).resolves.toEqual([]);
  await expect(noted({
    contract: { ...contract, name: 'renamed', quota: { metric: 'clusters', limit: 3 } },
    trial: { ...trial, registeredAt: '2026-01-02T00:00:00Z' },
  })).resolves.toEqual([]);
});
