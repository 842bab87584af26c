import type { Database } from '@platform/postgres';
import type { PutClustersRequest, PutClustersResponse } from '@platform/proto/clusters/v1/owners';
import type { Handler } from '@platform/rpc';
import { clustersFromMessage, clusterToMessage } from '../convert.ts';
import { changedMeanwhile, ownedBySomebodyElse } from '../faults.ts';
import { nameClosedOwners } from '../name-closed-owners.ts';
import { addMissing, type ClusterRow, lockByUid, type NewCluster, rename } from '../store/clusters.ts';

export function putClusters(database: Database): Handler<PutClustersRequest, PutClustersResponse> {
  return async (request, { deadline }) => {
    const clusters = clustersFromMessage(request);
    if (clusters.length === 0) return { clusters: [] };
    const ownerIds = clusters.map(({ ownerId }) => ownerId);
    const rows = await nameClosedOwners(database, ownerIds, deadline, () =>
      database.transact(async (transaction) => {
        await addMissing(transaction, clusters);
        const found = await lockByUid(transaction, clusters.map(({ uid }) => uid));
        const inOrder = inOrderOf(clusters, found);
        const renamed = clusters.filter((cluster, index) => !hasNamesOf(cluster, inOrder[index]!));
        if (renamed.length > 0) await rename(transaction, renamed);
        return inOrder;
      }, { deadline }));
    // The rows are those found, under the names given.
    return { clusters: rows.map((row, index) => clusterToMessage({ ...row, ...clusters[index] })) };
  };
}

function inOrderOf(clusters: readonly NewCluster[], found: readonly ClusterRow[]): ClusterRow[] {
  const byUid = new Map(found.map((row) => [row.uid, row]));
  const rows = clusters.map(({ uid }) => byUid.get(uid));
  const foreign = clusters.flatMap(({ ownerId }, index) =>
    (rows[index] ?? { ownerId }).ownerId === ownerId
      ? []
      : [{ path: `clusters[${index}].uid`, message: 'belongs to another account' }]);
  if (foreign.length > 0) throw ownedBySomebodyElse(foreign);
  if (rows.includes(undefined)) throw changedMeanwhile();
  return rows as ClusterRow[];
}

function hasNamesOf(cluster: NewCluster, row: ClusterRow): boolean {
  return row.name === cluster.name && row.displayName === cluster.displayName;
}
