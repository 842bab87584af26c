import { OwnerServiceService } from '@platform/proto/owners/v1/owners';
import { grpcServices } from '@platform/service';
import { connect, type PeerOptions, type RpcClient } from './client/client.ts';

export interface OwnerPeer extends RpcClient<typeof OwnerServiceService> {
  readonly name: string;
  /** Types of the authorization model that the service owns. */
  readonly types: readonly string[];
}

/** Creates clients of the services that own objects and have an address. `stack` closes the clients. */
export function connectOwners(
  peers: PeerOptions, addresses: ReadonlyMap<string, readonly string[]>, stack: AsyncDisposableStack,
): readonly OwnerPeer[] {
  return grpcServices.flatMap(({ name, owns }) => {
    const replicas = addresses.get(name);
    if (owns === undefined || replicas === undefined) return [];
    return [{ name, types: owns, ...stack.use(connect(OwnerServiceService, { ...peers, name, addresses: replicas })) }];
  });
}
