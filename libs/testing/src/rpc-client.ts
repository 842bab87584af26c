import { randomUUID } from 'node:crypto';
import { connect, type OutgoingContext, type RpcClient, type ServiceDefinition } from '@platform/rpc';
import { deadlineIn, Secret } from '@platform/service';
import { api } from './api.ts';
import { held } from './harness.ts';
import type { StartedService } from './start-service.ts';

/**
 * The client that every service uses, for a started service or for addresses. Closed at the end of the spec file.
 *
 * ```ts
 * const teams = await rpcClient(TeamServiceService, service);
 * await teams.getTeam({ id: 7 }, as(token));
 * ```
 * @param definition as generated in libs/proto.
 * @param target a service that announced `grpc`, or `host:port` of each replica.
 * @param options `serviceCredential` for internal methods, which refuse calls without it.
 */
export async function rpcClient<Definition extends ServiceDefinition>(
  definition: Definition, target: StartedService | readonly string[],
  { serviceCredential }: { readonly serviceCredential?: string } = {},
): Promise<RpcClient<Definition>> {
  const addresses = 'addressList' in target ? target.addressList('grpc').split(',') : target;
  return held(connect(definition, {
    surface: (await api()).surface, name: 'name' in target ? target.name : 'service', addresses,
    ...(serviceCredential === undefined ? {} : { serviceCredential: new Secret(serviceCredential) }),
  }));
}

/**
 * The context of one call: its caller and a new request id.
 * @param token of the caller; undefined for an anonymous caller
 * @param within milliseconds until the deadline; default 10,000
 */
export function as(token: string | undefined, within = 10_000): OutgoingContext {
  return { deadline: deadlineIn(within), requestId: randomUUID(), token };
}
