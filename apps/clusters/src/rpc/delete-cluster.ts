import type { Database } from '@platform/postgres';
import type { DeleteClusterRequest, DeleteClusterResponse } from '@platform/proto/clusters/v1/owners';
import type { Handler } from '@platform/rpc';
import { idsFromFields } from '../convert.ts';
import { remove } from '../store/clusters.ts';

export function deleteCluster(database: Database): Handler<DeleteClusterRequest, DeleteClusterResponse> {
  return async (request, { deadline }) => {
    const { id } = idsFromFields({ id: request.id });
    return { deleted: await remove(database, id, { deadline }) };
  };
}
