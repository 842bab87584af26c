import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { MetricsProxyAdminServiceService } from '@platform/proto/metricsproxy/v1/metricsproxy';
import { StatusServiceService } from '@platform/proto/status/v1/status';
import { connect, sql } from '@platform/postgres';
import { createSealer, Secret } from '@platform/service';
import { as, rpcClient, startService, testDatabase, testSecret } from '@platform/testing';

it('backends are sealed again with the newest key, and those that no key opens are left and reported', async () => {
  const [older, newer, serviceCredential] = [testSecret(), testSecret(), testSecret()];
  const database = await testDatabase('metricsproxy');
  await using rows = connect({ ...database, applicationName: 'spec', maxConnections: 1 });
  const insert = async (key: string, sealedFor: (identity: string) => string) => {
    const identity = `1.${randomUUID()}`;
    const { keyId, bytes } = createSealer([new Secret(key)]).seal(new Secret(`of ${identity}`), sealedFor(identity));
    await rows.execute(sql`
      insert into backend (identity, flavor, owner_id, owner_name, cluster_id, sealed_by, sealed_secret, settled)
      values (${identity}, 'flavora', 1, 'acme', 1, ${keyId}, ${bytes}, true)`);
    return identity;
  };
  const own = (identity: string) => `backend/${identity}/flavora`;
  const identities = [await insert(older, own), await insert(older, own)];
  await insert(older, () => own('1.of-another-row'));
  const lost = testSecret();
  await insert(lost, own);
  await using service = await startService('metricsproxy', {
    ...database.settings, 'secrets.encryptionKeys': `${newer},${older}`, 'secrets.serviceCredential': serviceCredential,
    'services.orgsTeams': '127.0.0.1:9', 'services.authz': '127.0.0.1:9', 'services.clusters': '127.0.0.1:9',
  });
  await using admin = await rpcClient(MetricsProxyAdminServiceService, service, { serviceCredential });
  expect(await admin.rotateKeys({}, as(undefined))).toEqual({ resealed: 2, unreadable: 2 });
  expect(await admin.rotateKeys({}, as(undefined))).toEqual({ resealed: 0, unreadable: 2 });
  const newest = createSealer([new Secret(newer)]);
  const sealed = await rows.query(sql<{ identity: string; keyId: string; bytes: Buffer }>`
    select identity, sealed_by as "keyId", sealed_secret as "bytes"
      from backend where identity = any (${identities}::text[])`);
  expect(sealed).toHaveLength(2);
  for (const { identity, ...secret } of sealed) {
    expect(newest.open(secret, own(identity)).reveal()).toBe(`of ${identity}`);
  }
  await using status = await rpcClient(StatusServiceService, service, { serviceCredential });
  const { keyId } = createSealer([new Secret(lost)]);
  expect((await status.getStatus({}, as(undefined))).lostKeys).toEqual([{ table: 'backend', keyId, secrets: 1 }]);
});
