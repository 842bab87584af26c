import { sql } from '@platform/postgres';
import { byId, databaseOf, type MakeList, rowsOf } from './changing-lists.ts';

/** The lists of the registry, by method. */
export const changingClusterLists: Readonly<Record<string, MakeList>> = {
  'controlplane.clusters.v1.ClusterService.ListImportedClusters': async (world) => {
    const { id, username } = await world.organization(world.siteAdmin);
    return byId(`/api/v1/clusters?org=${username}`, rowsOf(databaseOf(world, 'clusters'), 'cluster', (ids) => sql`
      insert into cluster (id, owner_id, uid, name) overriding system value
      select one, ${id}::bigint, gen_random_uuid(), 'cluster ' || one from unnest(${ids}::bigint[]) one`));
  },
};
