import { describeOwners, ownerClient, type OwnerSubject } from '@platform/owners/fixtures';
import { sql } from '@platform/postgres';
import { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import { as, rpcClient } from '@platform/testing';

const contracts: OwnerSubject = {
  service: 'contracts-licensing',
  type: 'contract',
  plural: 'contracts',
  keyField: 'idempotencyKey',
  methods: Object.keys(ContractOwnerServiceService),
  insert: (ownerId) => sql`insert into contract (owner_id, name) values (${ownerId}, 'Basic')`,
  connect: async (addresses, serviceCredential) => {
    const client = await rpcClient(ContractOwnerServiceService, addresses, { serviceCredential });
    return ownerClient(client, {
      put: async (rows) => {
        const given = rows.map(({ key: idempotencyKey, ...row }) => ({ ...row, idempotencyKey }));
        return (await client.putContracts({ contracts: given }, as(undefined))).contracts;
      },
      move: (request) => client.moveContract(request, as(undefined)),
      remove: (request) => client.deleteContract(request, as(undefined)),
    });
  },
};

describeOwners(contracts);
