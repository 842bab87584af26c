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

function contract(ownerId: number, name = 'Basic', idempotencyKey = randomUUID() as string) {
  return { idempotencyKey, ownerId, name };
}

async function heldBy(ownerId: number): Promise<number> {
  const { held } = await contracts.closeOwner({ ownerId }, call());
  await contracts.reopenOwner({ ownerId }, call());
  return held;
}

describe('PutContracts', () => {
  it('adds contracts in the order given, under names that are not unique', async () => {
    const given = [contract(21, 'Büro'), contract(22, 'Büro'), contract(21, 'Büro'), contract(21, '🏢'.repeat(100))];
    const before = Math.floor(Date.now() / 1_000);
    const { contracts: added } = await contracts.putContracts({ contracts: given }, call());
    expect(added).toMatchObject(given.map(({ ownerId, name }) => ({ ownerId, name })));
    expect(new Set(added.map(({ id }) => id)).size).toBe(4);
    expect(Math.min(...added.map(({ createdAt }) => createdAt))).toBeGreaterThanOrEqual(before - 1);
  });

  it('changes nothing when it is repeated, and uses up no ids', async () => {
    const request = { contracts: Array.from({ length: 50 }, () => contract(23)) };
    const first = await contracts.putContracts(request, call());
    await expect(contracts.putContracts(request, call())).resolves.toEqual(first);
    const inCapitals = ({ idempotencyKey: key, ...rest }: (typeof request.contracts)[number]) =>
      ({ ...rest, idempotencyKey: key.toUpperCase() });
    const capitals = request.contracts.map(inCapitals);
    await expect(contracts.putContracts({ contracts: capitals }, call())).resolves.toEqual(first);
    const { contracts: [next] } = await contracts.putContracts({ contracts: [contract(23)] }, call());
    expect(next!.id).toBe(Math.max(...first.contracts.map(({ id }) => id)) + 1);
    await expect(heldBy(23)).resolves.toBe(51);
  });

  it('gives a known contract its new name, and keeps its id', async () => {
    const old = contract(24, 'old');
    const { contracts: [first] } = await contracts.putContracts({ contracts: [old] }, call());
    const renamed = { ...old, name: 'new' };
    const { contracts: again } = await contracts.putContracts({ contracts: [contract(24), renamed] }, call());
    expect(again[1]).toEqual({ ...first, name: 'new' });
    const unchanged = await contracts.putContracts({ contracts: [renamed] }, call());
    expect(unchanged.contracts).toEqual([{ ...first, name: 'new' }]);
  });

  it('takes a thousand of a thousand owners in one call, and none', async () => {
    const thousand = Array.from({ length: 1_000 }, (_, index) => contract(100_000 + index));
    const { contracts: added } = await contracts.putContracts({ contracts: thousand }, call());
    expect(added.map(({ ownerId }) => ownerId)).toEqual(thousand.map(({ ownerId }) => ownerId));
    await expect(contracts.putContracts({ contracts: [] }, call())).resolves.toEqual({ contracts: [] });
  });

  it('adds none when one belongs to somebody else', async () => {
    const theirs = contract(25);
    await contracts.putContracts({ contracts: [theirs] }, call());
    const attempt = contracts.putContracts({ contracts: [contract(26), { ...theirs, ownerId: 26 }] }, call());
    await expect(attempt).rejects.toMatchObject({
      reason: 'ALREADY_EXISTS',
      violations: [{ path: 'contracts[1].idempotencyKey' }],
    });
    await expect(heldBy(26)).resolves.toBe(0);
  });

  it('adds none when one is for a closed owner, and names that one', async () => {
    await contracts.closeOwner({ ownerId: 28 }, call());
    const attempt = contracts.putContracts({ contracts: [contract(27), contract(28)] }, call());
    await expect(attempt).rejects.toMatchObject({ reason: 'CONFLICT', metadata: { closedOwners: '28' } });
    await expect(heldBy(27)).resolves.toBe(0);
  });

  it('lets two calls with the same contracts, the other way round, both succeed', async () => {
    const forward = Array.from({ length: 200 }, () => contract(29));
    const backward = forward.toReversed();
    const [one, other] = await Promise.all([
      contracts.putContracts({ contracts: forward }, call()),
      contracts.putContracts({ contracts: backward }, call()),
    ]);
    expect(other.contracts.toReversed()).toEqual(one.contracts);
    await expect(heldBy(29)).resolves.toBe(200);
  });

  const key = randomUUID();
  it.each([
    ['a key that is no UUID', [contract(1, 'Basic', 'first')], 'INVALID_VALUE', ['contracts[0].idempotencyKey']],
    ['a key in braces', [contract(1, 'Basic', `{${key}}`)], 'INVALID_VALUE', ['contracts[0].idempotencyKey']],
    ['a key given twice', [contract(1, 'a', key), contract(1, 'b', key.toUpperCase())], 'INVALID_VALUE',
      ['contracts[1].idempotencyKey']],
    ['an owner below 1', [contract(1), contract(0)], 'INVALID_VALUE', ['contracts[1].ownerId']],
    ['an empty name', [contract(1, '')], 'INVALID_VALUE', ['contracts[0].name']],
    ['a long name', [contract(1, 'x'.repeat(101))], 'INVALID_VALUE', ['contracts[0].name']],
    ['a name with a control character', [contract(1, 'a\u0001b')], 'INVALID_VALUE', ['contracts[0].name']],
    ['all that is wrong at once', [{ idempotencyKey: '', ownerId: -1, name: '' }], 'INVALID_VALUE',
      ['contracts[0].idempotencyKey', 'contracts[0].ownerId', 'contracts[0].name']],
    ['fields that are left out', [{}], 'VALIDATION_FAILED',
      ['contracts[0].idempotencyKey', 'contracts[0].ownerId', 'contracts[0].name']],
    ['too many', Array.from({ length: 1_001 }, () => contract(1)), 'TOO_MANY_ITEMS', ['contracts']],
  ])('refuses %s', async (_, given, reason, paths) => {
    await expect(contracts.putContracts({ contracts: given }, call())).rejects.toMatchObject({
      reason,
      violations: paths.map((path) => ({ path })),
    });
  });
});
