import { expect, it } from '@jest/globals';
import { describeOwners, type OwnerSubject, row, startAlone } from '@platform/owners/fixtures';
import { connect, sql } from '@platform/postgres';
import { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import { as, rpcClient } from '@platform/testing';

/** @param clustersOf the clusters that a contract with this key has from the start */
const contractsWith = (clustersOf: (key: string) => string[]): OwnerSubject => ({
  service: 'contracts-licensing',
  type: 'contract',
  plural: 'contracts',
  keyField: 'idempotencyKey',
  insert: (ownerId) => sql`
    insert into contract (owner_id, name, product, features, starts_at, ends_at)
    values (${ownerId}, 'Basic', 'platform', '{platform,scanner}', now(), now() + interval '1 day')`,
  connect: async (addresses, serviceCredential) => {
    const rpc = await rpcClient(ContractOwnerServiceService, addresses, { serviceCredential });
    return {
      rpc,
      put: async (rows) => {
        const given = rows.map(({ key: idempotencyKey, ...row }) => ({
          ...row, idempotencyKey, clusters: clustersOf(idempotencyKey ?? ''),
        }));
        return (await rpc.putContracts({ contracts: given }, as(undefined))).contracts;
      },
      move: (request) => rpc.moveContract(request, as(undefined)),
    };
  },
});

describeOwners(contractsWith(() => []));

it('contracts of batches that meet all have their clusters and events', async () => {
  await using started = await startAlone(contractsWith((key) => [key]), undefined, {}, { replicas: 2 });
  const { client, database } = started;
  await using rows = connect({ url: database.url, schema: database.schema, applicationName: 'spec' });
  for (let round = 0; round < 5; round += 1) {
    const batch = Array.from({ length: 30 }, () => row(1));
    await Promise.all([client.put(batch.slice(0, 20)), client.put(batch.slice(10).toReversed())]);
  }
  const halfDone = await rows.query(sql`
    select from contract
     where not exists (select from contract_cluster where contract_id = contract.id)
        or not exists (select from contract_event where contract_id = contract.id and event = 'contract.created')`);
  expect([halfDone.length, (await rows.query(sql`select from contract`)).length]).toEqual([0, 150]);
});
