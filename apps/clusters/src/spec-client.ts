import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { readImage } from '@platform/proto/image';
import { connect, type OutgoingContext, type RpcClient } from '@platform/rpc';
import { deadlineIn, type Secret } from '@platform/service';
import { readSurface } from '@platform/surface';

export type ClustersClient = RpcClient<typeof ClusterOwnerServiceService>;

/** What the specs of this service call it with. `addresses` is a list separated by commas. */
export async function clustersClient(addresses = '', serviceCredential: Secret): Promise<ClustersClient> {
  const surface = readSurface(await readImage());
  return connect(ClusterOwnerServiceService, {
    surface, name: 'clusters', addresses: addresses.split(','), serviceCredential,
  });
}

export function call(): OutgoingContext {
  return { deadline: deadlineIn(15_000), requestId: 'spec' };
}
