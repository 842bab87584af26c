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

function cluster(ownerId: number, name = 'lab', uid = randomUUID() as string) {
  return { uid, ownerId, name, displayName: '' };
}

async function heldBy(ownerId: number): Promise<number> {
  const { held } = await clusters.closeOwner({ ownerId }, call());
  await clusters.reopenOwner({ ownerId }, call());
  return held;
}

describe('PutClusters', () => {
  it('adds clusters in the order given, with UIDs in lower case', async () => {
    const uid = randomUUID();
    const given = [
      { ...cluster(21, 'b'), uid: uid.toUpperCase(), displayName: 'Büro 🏢' },
      { ...cluster(22, 'a'), displayName: 'x'.repeat(100) },
      cluster(21, '🏢'.repeat(100)),
    ];
    const before = Math.floor(Date.now() / 1_000);
    const { clusters: added } = await clusters.putClusters({ clusters: given }, call());
    expect(added).toMatchObject([
      { uid, ownerId: 21, name: 'b', displayName: 'Büro 🏢' },
      { uid: given[1]!.uid, ownerId: 22, name: 'a', displayName: 'x'.repeat(100) },
      { uid: given[2]!.uid, ownerId: 21, name: '🏢'.repeat(100), displayName: '' },
    ]);
    expect(new Set(added.map(({ id }) => id)).size).toBe(3);
    expect(Math.min(...added.map(({ createdAt }) => createdAt))).toBeGreaterThanOrEqual(before - 1);
  });

  it('changes nothing when it is repeated, and uses up no ids', async () => {
    const request = { clusters: Array.from({ length: 50 }, () => cluster(23)) };
    const first = await clusters.putClusters(request, call());
    await expect(clusters.putClusters(request, call())).resolves.toEqual(first);
    const { clusters: [next] } = await clusters.putClusters({ clusters: [cluster(23)] }, call());
    expect(next!.id).toBe(Math.max(...first.clusters.map(({ id }) => id)) + 1);
    await expect(heldBy(23)).resolves.toBe(51);
  });

  it('gives a known cluster its new names, and keeps its id', async () => {
    const old = cluster(24, 'old');
    const { clusters: [first] } = await clusters.putClusters({ clusters: [old] }, call());
    const renamed = { ...old, name: 'new', displayName: 'New' };
    const { clusters: again } = await clusters.putClusters({ clusters: [cluster(24), renamed] }, call());
    expect(again[1]).toEqual({ ...first, name: 'new', displayName: 'New' });
    const unchanged = await clusters.putClusters({ clusters: [renamed] }, call());
    expect(unchanged.clusters).toEqual([{ ...first, name: 'new', displayName: 'New' }]);
  });

  it('takes a thousand of a thousand owners in one call, and none', async () => {
    const thousand = Array.from({ length: 1_000 }, (_, index) => cluster(100_000 + index));
    const { clusters: added } = await clusters.putClusters({ clusters: thousand }, call());
    expect(added.map(({ uid }) => uid)).toEqual(thousand.map(({ uid }) => uid));
    await expect(clusters.putClusters({ clusters: [] }, call())).resolves.toEqual({ clusters: [] });
  });

  it('adds none when one belongs to somebody else', async () => {
    const theirs = cluster(25);
    await clusters.putClusters({ clusters: [theirs] }, call());
    const attempt = clusters.putClusters({ clusters: [cluster(26), { ...theirs, ownerId: 26 }] }, call());
    await expect(attempt).rejects.toMatchObject({
      reason: 'ALREADY_EXISTS',
      violations: [{ path: 'clusters[1].uid' }],
    });
    await expect(heldBy(26)).resolves.toBe(0);
  });

  it('adds none when one is for a closed owner, and names that one', async () => {
    await clusters.closeOwner({ ownerId: 28 }, call());
    const attempt = clusters.putClusters({ clusters: [cluster(27), cluster(28)] }, call());
    await expect(attempt).rejects.toMatchObject({ reason: 'CONFLICT', metadata: { closedOwners: '28' } });
    await expect(heldBy(27)).resolves.toBe(0);
  });

  it('lets two calls with the same clusters, the other way round, both succeed', async () => {
    const forward = Array.from({ length: 200 }, () => cluster(29));
    const backward = forward.toReversed();
    const [one, other] = await Promise.all([
      clusters.putClusters({ clusters: forward }, call()),
      clusters.putClusters({ clusters: backward }, call()),
    ]);
    expect(other.clusters.toReversed()).toEqual(one.clusters);
    await expect(heldBy(29)).resolves.toBe(200);
  });

  const uid = randomUUID();
  it.each([
    ['a UID that is none', [{ ...cluster(1), uid: 'lab' }], 'INVALID_VALUE', ['clusters[0].uid']],
    ['a UID in braces', [{ ...cluster(1), uid: `{${uid}}` }], 'INVALID_VALUE', ['clusters[0].uid']],
    ['a UID given twice', [cluster(1, 'a', uid), cluster(1, 'b', uid.toUpperCase())], 'INVALID_VALUE',
      ['clusters[1].uid']],
    ['an owner below 1', [cluster(1), cluster(0)], 'INVALID_VALUE', ['clusters[1].ownerId']],
    ['an empty name', [cluster(1, '')], 'INVALID_VALUE', ['clusters[0].name']],
    ['a long name', [cluster(1, 'x'.repeat(101))], 'INVALID_VALUE', ['clusters[0].name']],
    ['a name with a control character', [cluster(1, 'a\u0001b')], 'INVALID_VALUE', ['clusters[0].name']],
    ['a long display name', [{ ...cluster(1), displayName: 'x'.repeat(101) }], 'INVALID_VALUE',
      ['clusters[0].displayName']],
    ['all that is wrong at once', [{ uid: '', ownerId: -1, name: '', displayName: '' }], 'INVALID_VALUE',
      ['clusters[0].uid', 'clusters[0].ownerId', 'clusters[0].name']],
    ['fields that are left out', [{ displayName: '' }], 'VALIDATION_FAILED',
      ['clusters[0].uid', 'clusters[0].ownerId', 'clusters[0].name']],
    ['too many', Array.from({ length: 1_001 }, () => cluster(1)), 'TOO_MANY_ITEMS', ['clusters']],
  ])('refuses %s', async (_, given, reason, paths) => {
    await expect(clusters.putClusters({ clusters: given }, call())).rejects.toMatchObject({
      reason,
      violations: paths.map((path) => ({ path })),
    });
  });
});
