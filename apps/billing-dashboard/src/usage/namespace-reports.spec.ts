import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Queryable, sql } from '@platform/postgres';
import { deadlineIn } from '@platform/service';
import { type Billing, startBilling } from '../fixtures/billing.ts';
import { applyContractClusters, applyContracts } from '../projections/apply-contracts.ts';
import { reportAll } from './namespace-reports.ts';

let billing: Billing;
beforeAll(async () => {
  billing = await startBilling();
}, 60_000);
afterAll(async () => {
  await billing?.[Symbol.asyncDispose]();
});

const hourMs = 3_600_000;

/** Stores a cluster with client billing. Each of its namespaces has 10 databases, and each database has one event. */
async function storeDatabases(ownerId: number, count: number): Promise<void> {
  const clusterUid = randomUUID();
  await billing.rows.transact(async (transaction) => {
    await applyContracts(transaction, [{ key: String(ownerId), value: {
      id: ownerId, ownerId, name: 'all', product: 'productdb', start: new Date(Date.now() - hourMs).toISOString(),
      end: new Date(Date.now() + hourMs).toISOString(), revokedAt: null, deletedAt: null, enableClientBilling: true,
      quota: null,
    } }]);
    await applyContractClusters(transaction, [
      { key: String(ownerId), value: { id: ownerId, contractId: ownerId, clusterUid, removedAt: null } },
    ]);
    await transaction.execute(sql`
      insert into metered_object (
        owner_id, cluster_uid, product, object_uid, first_at, created_at, namespace, namespace_uid, name
      )
      select ${ownerId}, ${clusterUid}::uuid, 'productdb', lpad((${count} - number)::text, 7, '0'), now(), now(),
             'ns-' || lpad((number / 10)::text, 7, '0'), 'uid', 'db'
        from generate_series(0, ${count}::integer - 1) number`);
    await transaction.execute(sql`
      with reported as (
        insert into reported_object (owner_id, cluster_uid, product_name, api_group, resource, subject, versions)
        select owner_id, cluster_uid, product, '', 'all', object_uid, 1 from metered_object where owner_id = ${ownerId}
        returning id, subject
      )
      insert into object_version (
        object_id, version, identity, type, licence_id, generation, seen, received_at, last_received_at, metered_id,
        owner_id, cpu, memory, storage, replicas, mode, resource_trial, detail
      )
      select reported.id, 1, '', 'created', '', 1, tstzmultirange(tstzrange(now(), now() + interval '2 hours')), now(),
             now(), object.id, ${ownerId}, 0, 0, 0, 1, '', false,
             '{"pods": [], "volumes": [], "namespaceMetadata": {}, "namespaceCreatedAt": "", "clientOrgId": ""}'
        from reported join metered_object object on object.owner_id = ${ownerId} and object_uid = subject`);
  }, { deadline: deadlineIn(60_000) });
}

/** Number of object rows that this connection has read in this transaction; it may include recent earlier reads. */
async function objectsRead(transaction: Queryable): Promise<number> {
  const { count } = await transaction.one(sql<{ count: number }>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as "count"
      from pg_stat_xact_user_tables where relid = 'metered_object'::regclass`);
  return count;
}

it('a report reads each object a constant number of times, however many there are', async () => {
  const [ownerId, count] = [1, 3_000];
  await storeDatabases(ownerId, count);
  await billing.rows.execute(sql`analyze metered_object, object_version`);
  await billing.rows.transact(async (transaction) => {
    const before = await objectsRead(transaction);
    const texts = await Array.fromAsync(reportAll(transaction, ownerId, deadlineIn(30_000)));
    const { namespaces } = JSON.parse(texts.join('')) as {
      namespaces: { namespaceInfo: { name: string }; databases: { databaseInfo: { uid: string } }[] }[];
    };
    const names = namespaces.map(({ namespaceInfo: { name } }) => name);
    expect(names).toEqual(names.toSorted());
    expect(new Set(names).size).toBe(count / 10);
    const uids = namespaces[0]!.databases.map(({ databaseInfo: { uid } }) => uid);
    expect(uids).toEqual(uids.toSorted());
    expect(namespaces.flatMap(({ databases }) => databases)).toHaveLength(count);
    expect(await objectsRead(transaction) - before).toBeLessThanOrEqual(2 * count);
  }, { deadline: deadlineIn(60_000) });
}, 90_000);
