import { expect, it } from '@jest/globals';
import { connect, sql } from '@platform/postgres';
import { ClusterAdminServiceService } from '@platform/proto/clusters/v1/cluster';
import { createSealer, Secret } from '@platform/service';
import { as, rpcClient, startService, testDatabase, testSecret } from '@platform/testing';

it('kubeconfigs are sealed again with the newest key, and those that no key opens are left', async () => {
  const [older, newer, serviceCredential] = [testSecret(), testSecret(), testSecret()];
  const database = await testDatabase('clusters');
  await using rows = connect({ ...database, applicationName: 'spec', maxConnections: 1 });
  const sealer = createSealer([new Secret(older)]);
  const insert = async (sealedFor: (id: number) => string) => {
    const { id } = await rows.one(sql<{ id: number }>`
      insert into cluster (owner_id, uid, name) values (1, gen_random_uuid(), gen_random_uuid()) returning id`);
    const { keyId, bytes } = sealer.seal(new Secret(`config of ${id}`), sealedFor(id));
    await rows.execute(sql`update cluster set sealed_by = ${keyId}, sealed_secret = ${bytes} where id = ${id}`);
    return id;
  };
  const ids = [await insert((id) => `cluster/${id}/kubeconfig`), await insert((id) => `cluster/${id}/kubeconfig`)];
  await insert(() => 'cluster/0/kubeconfig');
  await rows.execute(sql`insert into cluster (owner_id, uid, name) values (1, gen_random_uuid(), 'without')`);
  await using service = await startService('clusters', {
    ...database.settings, 'secrets.encryptionKeys': `${newer},${older}`, 'secrets.serviceCredential': serviceCredential,
    'services.orgsTeams': '127.0.0.1:9', 'services.authz': '127.0.0.1:9', 'services.contractsLicensing': '127.0.0.1:9',
  });
  await using admin = await rpcClient(ClusterAdminServiceService, service, { serviceCredential });
  expect(await admin.rotateKeys({}, as(undefined))).toEqual({ resealed: 2, unreadable: 1 });
  expect(await admin.rotateKeys({}, as(undefined))).toEqual({ resealed: 0, unreadable: 1 });
  const newest = createSealer([new Secret(newer)]);
  const sealed = await rows.query(sql<{ id: number; keyId: string; bytes: Buffer }>`
    select id, sealed_by as "keyId", sealed_secret as "bytes" from cluster where id = any (${ids}::bigint[]) order by id`);
  expect(sealed.map(({ id, ...secret }) => newest.open(secret, `cluster/${id}/kubeconfig`).reveal()))
    .toEqual(ids.map((id) => `config of ${id}`));
});
