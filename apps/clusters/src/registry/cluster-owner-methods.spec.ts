import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import type { RpcClient } from '@platform/rpc';
import { as, rpcClient, startService, testDatabase, testSecret } from '@platform/testing';

let clusters: RpcClient<typeof ClusterOwnerServiceService>;

beforeAll(async () => {
  const serviceCredential = testSecret();
  const database = await testDatabase('clusters');
  const service = await startService('clusters', {
    ...database.settings,
    'secrets.serviceCredential': serviceCredential,
    'services.orgsTeams': '127.0.0.1:9',
    'services.authz': '127.0.0.1:9',
    'services.contractsLicensing': '127.0.0.1:9',
    'secrets.encryptionKeys': testSecret(),
  });
  clusters = await rpcClient(ClusterOwnerServiceService, service, { serviceCredential });
});

const lab = () => ({ uid: randomUUID() as string, ownerId: 21, name: `lab-${randomUUID()}`, displayName: '' });

/** owners.spec.ts covers the behaviour that all services with owned objects share. */
describe('PutClusters', () => {
  it('shows UIDs in lower case, and display names', async () => {
    const given = [{ ...lab(), displayName: 'Büro 🏢' }, { ...lab(), displayName: 'x'.repeat(100) }, lab()];
    const inCapitals = given.map(({ uid, ...rest }) => ({ ...rest, uid: uid.toUpperCase() }));
    const { clusters: added } = await clusters.putClusters({ clusters: inCapitals }, as(undefined));
    expect(added).toMatchObject(given);
  });

  it('gives a known cluster its new display name', async () => {
    const old = lab();
    const { clusters: [first] } = await clusters.putClusters({ clusters: [old] }, as(undefined));
    const renamed = await clusters.putClusters({ clusters: [{ ...old, displayName: 'New' }] }, as(undefined));
    expect(renamed.clusters).toEqual([{ ...first, displayName: 'New' }]);
  });

  it('refuses a long display name', async () => {
    const attempt = clusters.putClusters({ clusters: [{ ...lab(), displayName: 'x'.repeat(101) }] }, as(undefined));
    await expect(attempt).rejects.toMatchObject({
      reason: 'INVALID_VALUE',
      violations: [{ path: 'clusters[0].displayName' }],
    });
  });
});
