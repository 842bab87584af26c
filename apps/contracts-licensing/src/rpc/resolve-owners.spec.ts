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

describe('ResolveOwners', () => {
  it('tells the owner of each contract that exists, once', async () => {
    const [first, second] = [await put(11), await put(12)];
    const ids = [second, first, 999_999, first];
    const { owners } = await contracts.resolveOwners({ type: 'contract', ids }, call());
    const byId = owners.toSorted((a, b) => a.id - b.id);
    expect(byId).toEqual([
      { id: first, ownerId: 11, teamId: 0, isOwnersTeam: false },
      { id: second, ownerId: 12, teamId: 0, isOwnersTeam: false },
    ]);
  });

  it('tells the new owner as soon as a contract has moved', async () => {
    const id = await put(13);
    await contracts.moveContract({ id, ownerId: 14 }, call());
    const { owners } = await contracts.resolveOwners({ type: 'contract', ids: [id] }, call());
    expect(owners).toMatchObject([{ id, ownerId: 14 }]);
  });

  it('answers a thousand ids at once, and none', async () => {
    const id = await put(15);
    const ids = Array.from({ length: 1_000 }, (_, index) => (index === 700 ? id : 1_000_000 + index));
    const { owners } = await contracts.resolveOwners({ type: 'contract', ids }, call());
    expect(owners).toMatchObject([{ id, ownerId: 15 }]);
    await expect(contracts.resolveOwners({ type: 'contract', ids: [] }, call())).resolves.toEqual({ owners: [] });
  });

  it.each([
    ['another type', { type: 'cluster', ids: [1] }, 'INVALID_OBJECT_TYPE', ['type']],
    ['no type', { type: '', ids: [1] }, 'INVALID_OBJECT_TYPE', ['type']],
    ['ids below 1', { type: 'contract', ids: [1, 0, -7] }, 'INVALID_VALUE', ['ids[1]', 'ids[2]']],
    ['too many ids', { type: 'contract', ids: Array.from({ length: 1_001 }, () => 1) }, 'TOO_MANY_ITEMS', ['ids']],
  ])('refuses %s', async (_, request, reason, paths) => {
    await expect(contracts.resolveOwners(request, call())).rejects.toMatchObject({
      reason,
      violations: paths.map((path) => ({ path })),
    });
  });
});
