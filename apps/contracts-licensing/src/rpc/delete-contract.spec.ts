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

async function put(ownerId: number): Promise<number> {
  const { contracts: [contract] } = await contracts.putContracts(
    { contracts: [{ idempotencyKey: randomUUID(), ownerId, name: 'Basic' }] },
    call(),
  );
  return contract!.id;
}

describe('DeleteContract', () => {
  it('deletes the contract, and says so once', async () => {
    const [id, other] = [await put(41), await put(41)];
    await expect(contracts.deleteContract({ id }, call())).resolves.toEqual({ deleted: true });
    await expect(contracts.deleteContract({ id }, call())).resolves.toEqual({ deleted: false });
    const { owners } = await contracts.resolveOwners({ type: 'contract', ids: [id, other] }, call());
    expect(owners.map((owner) => owner.id)).toEqual([other]);
  });

  it('never lets an id be used again', async () => {
    const id = await put(42);
    await contracts.deleteContract({ id }, call());
    await expect(put(42)).resolves.toBeGreaterThan(id);
  });

  it.each([
    ['an id below 1', { id: 0 }, 'INVALID_VALUE'],
    ['no id', {}, 'VALIDATION_FAILED'],
  ])('refuses %s', async (_, request, reason) => {
    await expect(contracts.deleteContract(request, call())).rejects.toMatchObject({
      reason,
      violations: [{ path: 'id' }],
    });
  });
});
