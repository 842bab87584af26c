import { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import { readImage } from '@platform/proto/image';
import { connect, type OutgoingContext, type RpcClient } from '@platform/rpc';
import { deadlineIn, type Secret } from '@platform/service';
import { readSurface } from '@platform/surface';

export type ContractsClient = RpcClient<typeof ContractOwnerServiceService>;

/** What the specs of this service call it with. `addresses` is a list separated by commas. */
export async function contractsClient(addresses = '', serviceCredential: Secret): Promise<ContractsClient> {
  const surface = readSurface(await readImage());
  return connect(ContractOwnerServiceService, {
    surface, name: 'contracts-licensing', addresses: addresses.split(','), serviceCredential,
  });
}

export function call(): OutgoingContext {
  return { deadline: deadlineIn(15_000), requestId: 'spec' };
}
