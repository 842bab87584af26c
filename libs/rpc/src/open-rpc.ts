import { type Config, type OpenService, optional } from '@platform/service';
import type { Deployment, Surface } from '@platform/surface';
import { createGuard, type Guard } from './guard.ts';
import type { GuardSources } from './guard-sources.ts';
import type { Implementation } from './implement.ts';
import { createRateLimiter, type RateLimiter, rateLimitsOf, ratePicks } from './limits/rate-limit.ts';
import { sourceAddressBy } from './limits/source-address.ts';
import { remoteSources } from './remote-sources.ts';
import { startRpcServer } from './server.ts';

/** What decides which methods exist (open-points 1.1). */
export const deploymentPicks = {
  deploymentType: 'deployment.type',
  runMode: 'run.mode',
  billing: 'billing.enabled',
} as const;

export function deploymentOf({ deploymentType, runMode, billing }: Config<typeof deploymentPicks>): Deployment {
  return { type: deploymentType, runMode, billing };
}

/** What a service that answers gRPC picks of the platform's settings. */
export const rpcPicks = {
  ...deploymentPicks,
  ...ratePicks,
  grpcListen: 'grpc.listen',
  serviceCredential: 'secrets.serviceCredential',
  operatorCredential: optional('secrets.operatorCredential'),
} as const;

export type RpcConfig = Config<typeof rpcPicks>;

/** What a service picks whose guard asks orgs-teams and authz. */
export const guardPicks = { orgsTeams: 'services.orgsTeams', authz: 'services.authz' } as const;

/** The guard of a service: services and the operator may call its internal methods. */
export function openGuard({ metrics }: OpenService, config: RpcConfig, sources: GuardSources): Guard {
  const { serviceCredential, operatorCredential } = config;
  const serviceCredentials = [serviceCredential, ...(operatorCredential ? [operatorCredential] : [])];
  return createGuard(sources, { deployment: deploymentOf(config), serviceCredentials, metrics });
}

/** The guard of a service that learns from orgs-teams who calls, and from authz what principals may do. */
export function openRemoteGuard(
  service: OpenService,
  config: RpcConfig & Config<typeof guardPicks>,
  surface: Surface,
  objects: GuardSources['objects'],
): Guard {
  const { orgsTeams, authz, serviceCredential } = config;
  const sources = remoteSources({ surface, orgsTeams, authz, serviceCredential, objects });
  return openGuard(service, config, service.stack.use(sources));
}

/** What a service serves. */
export interface RpcApi {
  readonly surface: Surface;
  readonly guard: Guard;
  readonly services: readonly Implementation[];
  /** Of callers who do not come through the gateway. */
  readonly rateLimiter: RateLimiter;
}

/** The limits of a service as they are set. */
export function openRateLimiter({ metrics }: OpenService, config: RpcConfig): RateLimiter {
  return createRateLimiter(rateLimitsOf(config), metrics);
}

/** Serves the methods of a service while it is open, each behind the guard. @throws as startRpcServer does */
export async function openRpc(
  { name: host, log, metrics, stack }: OpenService,
  { grpcListen: listen, trustedProxies }: RpcConfig,
  { rateLimiter, ...api }: RpcApi,
): Promise<{ readonly grpc: string }> {
  const directLimits = { rateLimiter, sourceAddress: sourceAddressBy(trustedProxies) };
  const server = stack.use(await startRpcServer({ ...api, host, listen, directLimits, log, metrics }));
  return { grpc: server.address };
}
