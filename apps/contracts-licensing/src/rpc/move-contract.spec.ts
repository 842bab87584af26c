import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@platform/service';
import { startService, testDatabase, testSecret } from '@platform/testing';
import { call, type ContractsClient, contractsClient } from '../spec-client.ts';

const credential = new Secret(testSecret());
/** Nobody listens there: this service needs no other to answer. */
const nobody = '127.0.0.1:9';
let contracts: ContractsClient;

beforeAll(async () => {
  const database = await testDatabase('contracts-licensing');
  const service = await startService('contracts-licensing', {
    ...database.settings,
    'secrets.serviceCredential': credential.reveal(),
    'services.orgsTeams': nobody,
    'services.authz': nobody,
  });
  contracts = await contractsClient(service.addresses['grpc'], credential);
});
afterAll(async () => contracts[Symbol.asyncDispose]());

async function put(ownerId: number) {
  const { contracts: [contract] } = await contracts.putContracts(
    { contracts: [{ idempotencyKey: randomUUID(), ownerId, name: 'Basic' }] },
    call(),
  );
  return contract!;
}

describe('MoveContract', () => {
  it('gives the contract to the other account, and changes nothing when it is repeated', async () => {
    const contract = await put(31);
    const moved = { ...contract, ownerId: 32 };
    await expect(contracts.moveContract({ id: contract.id, ownerId: 32 }, call())).resolves.toEqual(moved);
    await expect(contracts.moveContract({ id: contract.id, ownerId: 32 }, call())).resolves.toEqual(moved);
    await expect(contracts.closeOwner({ ownerId: 31 }, call())).resolves.toEqual({ held: 0 });
  });

  it('gives nothing to a closed owner, but takes away from one', async () => {
    const [here, there] = [await put(33), await put(34)];
    await contracts.closeOwner({ ownerId: 34 }, call());
    await expect(contracts.moveContract({ id: here.id, ownerId: 34 }, call())).rejects.toMatchObject({
      reason: 'CONFLICT',
      metadata: { closedOwners: '34' },
    });
    await expect(contracts.moveContract({ id: there.id, ownerId: 34 }, call())).resolves.toEqual(there);
    await expect(contracts.moveContract({ id: there.id, ownerId: 33 }, call())).resolves.toMatchObject({ ownerId: 33 });
    await expect(contracts.closeOwner({ ownerId: 34 }, call())).resolves.toEqual({ held: 0 });
  });

  it('does not find a contract that does not exist', async () => {
    const attempt = contracts.moveContract({ id: 999_999, ownerId: 33 }, call());
    await expect(attempt).rejects.toMatchObject({ reason: 'NOT_FOUND' });
  });

  it.each([
    ['ids below 1', { id: 0, ownerId: -1 }, 'INVALID_VALUE', ['id', 'ownerId']],
    ['fields that are left out', {}, 'VALIDATION_FAILED', ['id', 'ownerId']],
  ])('refuses %s', async (_, request, reason, paths) => {
    await expect(contracts.moveContract(request, call())).rejects.toMatchObject({
      reason,
      violations: paths.map((path) => ({ path })),
    });
  });
});
