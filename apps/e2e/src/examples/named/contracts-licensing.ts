import { connect, sql } from '@platform/postgres';
import { ok } from '../../contracts/contract-world.ts';
import { formBody } from '../../orgs/form-body.ts';
import type { World } from '../../orgs/world.ts';
import type { ExampleOrganization } from '../names.ts';

const mainCluster = '1b671a64-40d5-491e-99b0-da01ff1f3341';
const spareCluster = '7c0e4b1d-2d57-4a47-8a0b-0f3c9d6a5e21';
const furtherClusters = ['3c9d2d6e-0c54-4d52-8f1e-7f7a5a0c1b42', 'e0b3a4f5-1f2c-4b58-9a57-6f4d8f3e2c19'] as const;
/** Query of the link to the yearly contract's document. */
const shownLink = {
  name: 'contracts/71/5f0c2d1e-8a4b-4c6d-9e7f-1a2b3c4d5e6f.pdf', expires: '1763719200',
  signature: 'Xn0b7Zq3V1mK9sT4uY6wA2cE8gI5jL7oP0rS3vB1dFk',
};

/**
 * Contracts: a yearly one with a document and three clusters, one for backups, and a third one; and a licence of the
 * main cluster.
 */
export async function nameContracts(world: World, { names, owner, organization }: ExampleOrganization): Promise<void> {
  await using rows = connect({ ...world.platform.databases['contracts-licensing'], applicationName: 'spec' });
  const { id: uid, username } = organization;
  const [main, spare] = [names.text(mainCluster), names.text(spareCluster)];
  await rows.execute(sql`
    insert into imported_cluster
      (id, owner_id, uid, name, display_name, imported_at, kubernetes_version, node_count, last_contact_at)
    select 60000 + 2 * ${uid}::bigint + more, ${uid}, uid, name, initcap(name), now(), 'v1.34.1', nodes, now()
      from (values (0, ${main}::uuid, 'main', 3), (1, ${spare}::uuid, 'spare', 1)) as cluster (more, uid, name, nodes)`);
  const admin = world.siteAdmin.http;
  const create = async (given: object) => {
    const json = { uid, start: 1_767_225_600, end: 4_102_444_800, ...given };
    return ok<{ id: number; clusters: { id: number }[] }[]>(await admin.post('/api/v1/contracts', { json }), 201)[0]!;
  };
  const yearly = await create({
    name: 'Yearly', products: ['platform'], allowOffline: true,
    clusters: [
      { cluster: main, displayName: 'Main', tags: ['production'] },
      ...furtherClusters.map((cluster) => ({ cluster: names.text(cluster) })),
    ],
  });
  const backups = await create({ name: 'Backups', products: ['productbackup'] });
  const old = await create({ name: 'Old', products: ['platform'] });
  names.ids(71, [yearly.id, backups.id, old.id]);
  names.ids(81, yearly.clusters.map(({ id }) => id));
  const document = formBody([{ name: 'document', filename: 'contract.pdf', content: '%PDF-1.7' }]);
  await admin.put(`/api/v1/contracts/${yearly.id}`, document);
  const link = new URL((await admin.get(`/api/v1/contracts/${yearly.id}/document`)).json<string>());
  names.openly(shownLink.name, link.pathname.slice('/files/'.length));
  names.openly(shownLink.expires, link.searchParams.get('expires')!);
  names.openly(shownLink.signature, link.searchParams.get('signature')!);
  const issued = await owner.http.post(`/api/v1/license/issue?org=${username}`, { json: { cluster: main } });
  names.openly('LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t…', ok<{ license: string }>(issued).license);
}
