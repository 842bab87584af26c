import { randomUUID } from 'node:crypto';
import { connect, sql } from '@platform/postgres';
import type { World } from '../../orgs/world.ts';
import type { ExampleOrganization } from '../names.ts';

const shownCluster = '5b0f6f0a-92d4-4f0e-8a31-2f3c7f1d9e64';

/** A cluster with registered metrics. UID and identity are no secrets: answers for foreign and missing ones differ. */
export async function nameBackends({ platform }: World, { names, organization }: ExampleOrganization): Promise<void> {
  const { id } = organization;
  await using rows = connect({ ...platform.databases.clusters, applicationName: 'spec' });
  const uid = names.text('acme') === 'acme' ? shownCluster : randomUUID();
  await rows.transact(async (transaction) => {
    const cluster = await transaction.one(sql<{ id: number }>`
      insert into cluster (uid, owner_id, name) values (${uid}, ${id}, 'ovens') returning id`);
    // The examples of contracts show the clusters of the organization without this one.
    await transaction.execute(sql`delete from fact where kind = 'cluster' and key = ${String(cluster.id)}`);
  });
  names.openly(shownCluster, uid);
  names.openly(`21.${shownCluster}`, `${id}.${uid}`);
  names.openly('platform.user.21', `platform.user.${id}`);
}
