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

async function put(ownerId: number): Promise<number> {
  const { clusters: [cluster] } = await clusters.putClusters(
    { clusters: [{ uid: randomUUID(), ownerId, name: 'lab', displayName: '' }] },
    call(),
  );
  return cluster!.id;
}

describe('DeleteCluster', () => {
  it('deletes the cluster, and says so once', async () => {
    const [id, other] = [await put(41), await put(41)];
    await expect(clusters.deleteCluster({ id }, call())).resolves.toEqual({ deleted: true });
    await expect(clusters.deleteCluster({ id }, call())).resolves.toEqual({ deleted: false });
    const { owners } = await clusters.resolveOwners({ type: 'cluster', ids: [id, other] }, call());
    expect(owners.map((owner) => owner.id)).toEqual([other]);
  });

  it('never lets an id be used again', async () => {
    const id = await put(42);
    await clusters.deleteCluster({ id }, call());
    await expect(put(42)).resolves.toBeGreaterThan(id);
  });

  it.each([
    ['an id below 1', { id: 0 }, 'INVALID_VALUE'],
    ['no id', {}, 'VALIDATION_FAILED'],
  ])('refuses %s', async (_, request, reason) => {
    await expect(clusters.deleteCluster(request, call())).rejects.toMatchObject({
      reason,
      violations: [{ path: 'id' }],
    });
  });
});
