import { connect, type Database, sql } from '@platform/postgres';
import type { World } from '../orgs/world.ts';
import { byId, type MakeList } from './changing-lists.ts';

const connections = new WeakMap<World, Database>();

function rowsOf(world: World): Database {
  const { url, schema } = world.platform.databases.clusters;
  const rows = connections.get(world) ?? connect({ url, schema, applicationName: 'spec', maxConnections: 5 });
  connections.set(world, rows);
  return rows;
}

/** The lists of the registry, by method. */
export const changingClusterLists: Readonly<Record<string, MakeList>> = {
  'controlplane.clusters.v1.ClusterService.ListImportedClusters': async (world) => {
    const rows = rowsOf(world);
    const { id, username } = await world.organization(world.siteAdmin);
    return byId(`/api/v1/clusters?org=${username}`, {
      put: (ids) => rows.execute(sql`
        insert into cluster (id, owner_id, uid, name) overriding system value
        select one, ${id}::bigint, gen_random_uuid(), 'cluster ' || one from unnest(${ids}::bigint[]) one`),
      take: (ids) => rows.execute(sql`delete from cluster where id = any (${ids})`),
    });
  },
};
