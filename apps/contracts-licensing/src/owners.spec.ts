import { describeOwners, type OwnerSubject } from '@platform/owners/fixtures';
import { sql } from '@platform/postgres';
import { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import { as, rpcClient } from '@platform/testing';

const contracts: OwnerSubject = {
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
        const given = rows.map(({ key: idempotencyKey, ...row }) => ({ ...row, idempotencyKey, clusters: [] }));
        return (await rpc.putContracts({ contracts: given }, as(undefined))).contracts;
      },
      move: (request) => rpc.moveContract(request, as(undefined)),
    };
  },
};

describeOwners(contracts);
