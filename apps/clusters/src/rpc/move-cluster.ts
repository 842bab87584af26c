import type { Database } from '@platform/postgres';
import type { Cluster, MoveClusterRequest } from '@platform/proto/clusters/v1/owners';
import type { Handler } from '@platform/rpc';
import { clusterToMessage, idsFromFields } from '../convert.ts';
import { clusterNotFound } from '../faults.ts';
import { nameClosedOwners } from '../name-closed-owners.ts';
import { move } from '../store/clusters.ts';

export function moveCluster(database: Database): Handler<MoveClusterRequest, Cluster> {
  return async (request, { deadline }) => {
    const { id, ownerId } = idsFromFields({ id: request.id, ownerId: request.ownerId });
    const row = await nameClosedOwners(database, [ownerId], deadline, () => move(database, id, ownerId, { deadline }));
    if (!row) throw clusterNotFound();
    return clusterToMessage(row);
  };
}
