import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@platform/service';
import { startService, testDatabase, testSecret } from '@platform/testing';
import { call, type ClustersClient, clustersClient } from '../spec-client.ts';

const credential = new Secret(testSecret());
/** Nobody listens there: this service needs no other to answer. */
const nobody = '127.0.0.1:9';
let clusters: ClustersClient;

beforeAll(async () => {
  const database = await testDatabase('clusters');
  const service = await startService('clusters', {
    ...database.settings,
    'secrets.serviceCredential': credential.reveal(),
    'services.orgsTeams': nobody,
    'services.authz': nobody,
  });
  clusters = await clustersClient(service.addresses['grpc'], credential);
});
afterAll(async () => clusters[Symbol.asyncDispose]());

async function put(ownerId: number) {
  const { clusters: [cluster] } = await clusters.putClusters(
    { clusters: [{ uid: randomUUID(), ownerId, name: 'lab', displayName: 'Lab' }] },
    call(),
  );
  return cluster!;
}

describe('MoveCluster', () => {
  it('gives the cluster to the other account, and changes nothing when it is repeated', async () => {
    const cluster = await put(31);
    const moved = { ...cluster, ownerId: 32 };
    await expect(clusters.moveCluster({ id: cluster.id, ownerId: 32 }, call())).resolves.toEqual(moved);
    await expect(clusters.moveCluster({ id: cluster.id, ownerId: 32 }, call())).resolves.toEqual(moved);
    await expect(clusters.closeOwner({ ownerId: 31 }, call())).resolves.toEqual({ held: 0 });
  });

  it('gives nothing to a closed owner, but takes away from one', async () => {
    const [here, there] = [await put(33), await put(34)];
    await clusters.closeOwner({ ownerId: 34 }, call());
    await expect(clusters.moveCluster({ id: here.id, ownerId: 34 }, call())).rejects.toMatchObject({
      reason: 'CONFLICT',
      metadata: { closedOwners: '34' },
    });
    await expect(clusters.moveCluster({ id: there.id, ownerId: 34 }, call())).resolves.toEqual(there);
    await expect(clusters.moveCluster({ id: there.id, ownerId: 33 }, call())).resolves.toMatchObject({ ownerId: 33 });
    await expect(clusters.closeOwner({ ownerId: 34 }, call())).resolves.toEqual({ held: 0 });
  });

  it('does not find a cluster that does not exist', async () => {
    const attempt = clusters.moveCluster({ id: 999_999, ownerId: 33 }, call());
    await expect(attempt).rejects.toMatchObject({ reason: 'NOT_FOUND' });
  });

  it.each([
    ['ids below 1', { id: 0, ownerId: -1 }, 'INVALID_VALUE', ['id', 'ownerId']],
    ['fields that are left out', {}, 'VALIDATION_FAILED', ['id', 'ownerId']],
  ])('refuses %s', async (_, request, reason, paths) => {
    await expect(clusters.moveCluster(request, call())).rejects.toMatchObject({
      reason,
      violations: paths.map((path) => ({ path })),
    });
  });
});
