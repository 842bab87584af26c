import type { OwnedRow, OwnedTable } from '@platform/owners';
import type { Cluster } from '@platform/proto/clusters/v1/owners';

/** The table `cluster`. UID and name are unique per owner (open-points 4.4). */
export const clusterTable: OwnedTable<'name' | 'displayName'> = {
  type: 'cluster',
  plural: 'clusters',
  key: { field: 'uid', column: 'uid', title: 'UID', perOwner: true },
  texts: {
    name: { column: 'name', least: 1, most: 100 },
    displayName: { column: 'display_name', least: 0, most: 100 },
  },
};

export function clusterToMessage({ key: uid, createdAt, ...row }: OwnedRow<'name' | 'displayName'>): Cluster {
  return { ...row, uid, createdAt: Math.floor(createdAt.getTime() / 1000) };
}
