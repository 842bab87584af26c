import { createSignedLinks } from '@platform/files';
import { connect, sql } from '@platform/postgres';
import { Secret } from '@platform/service';
import { until } from '@platform/testing';
import type { OwnHub } from '../../clusters/own-hub.ts';
import { checked, ok } from '../../contracts/contract-world.ts';
import type { World } from '../../orgs/world.ts';
import type { ExampleOrganization, Names } from '../names.ts';

/** A hub that the organization has imported. All share it, because objects of a hub are not secrets of an owner. */
export async function nameClusters(
  hub: OwnHub, world: World, { names, organization, owner }: ExampleOrganization,
): Promise<void> {
  const { platform, siteAdmin } = world;
  await hub.importInto(platform, organization.username, names.text('hub'));
  names.openly('0e8990a7-8b83-414c-8f56-7125b39cf40f', hub.uid);
  names.openly('cluster1', hub.spoke!.name);
  names.openly('5d4f9c0a-3c55-4b0e-9d0a-6f1f3f0f8e11', hub.spoke!.uid);
  names.openly('https://cluster1.example.org:6443', hub.spoke!.url);
  // A cluster that is known only by its UID.
  const lab = { name: names.text('lab'), uid: names.text('8d2f6a3c-1b7e-4f0d-9a5c-6e4b2c1d0f93') };
  checked(await owner.http.post(`/api/v1/clusters?org=${organization.username}`, { json: lab }), 201);
  // One client organization to read, and one to delete.
  const made: number[] = [];
  for (const name of ['shop', 'florist']) {
    const answer = await siteAdmin.http.post('/api/v1/user/client/create', { json: {
      clientOrg: { orgName: names.text(name), orgFullName: `The ${name}` },
      hubClusterUID: hub.uid, hubClusterOwnerName: organization.username,
      userPermission: {
        userName: names.text('erin'), email: 'erin@example.org', importCluster: false,
        permissions: [{ name: 'eu-1', roleRefName: 'platform:admin' }],
      },
    } });
    made.push(ok<{ id: number }>(answer).id);
  }
  names.ids(91, made);
  await nameInvitation(world, names);
  // Examples of contracts contain it too.
  await using rows = connect({ ...platform.databases['contracts-licensing'], applicationName: 'spec' });
  const known = () => rows.maybeOne(sql<object>`
    select from imported_cluster where owner_id = ${organization.id} and uid = ${hub.uid}::uuid`);
  await until(known, { within: 20_000, what: 'contracts-licensing knows the hub' });
}

/** The link that the owner of the client organizations received by mail. */
async function nameInvitation({ database, platform }: World, names: Names): Promise<void> {
  const { userId, expires } = await database.one(sql<{ userId: number; expires: number }>`
    select user_id as "userId", extract(epoch from expires_at)::bigint as "expires"
      from invitation join account on account.id = user_id where name = ${names.text('erin')}`);
  const secrets = [new Secret(platform.settings['orgs-teams']['secrets.encryptionKeys']!)];
  const links = createSignedLinks({ prefix: 'https://x/', purpose: 'platform invitations', secrets });
  const { searchParams } = new URL(links.sign(String(userId), expires));
  names.openly(16, userId);
  names.openly('1764324000', String(expires));
  names.openly('pQ3s8Jx2Lk0bV7nM5cR1tY9wZ4aE6dG8hU0iO2fS7jA', searchParams.get('signature')!);
}
