import { readImage } from '@platform/proto/image';
import { type Config, type OpenService, optional, type Secret } from '@platform/service';
import { type Deployment, readSurface } from '@platform/surface';
import { grpcTlsPicks, openGrpcTls } from '@platform/tls';
import type { PeerOptions } from './client/client.ts';
import type { GuardSources } from './guard/guard-sources.ts';
import { createGuard, type Guard } from './guard/guard.ts';
import { remoteSources } from './guard/remote-sources.ts';
import { createRateLimiter, type RateLimiter, rateLimitsOf, ratePicks } from './limits/rate-limit.ts';
import { sourceAddressBy } from './limits/source-address.ts';
import type { Implementation } from './server/implement.ts';
import { startRpcServer } from './server/server.ts';

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
  ...grpcTlsPicks,
  stopTimeoutMs: 'stop.timeout',
  grpcListen: 'grpc.listen',
  serviceCredential: 'secrets.serviceCredential',
  operatorCredential: optional('secrets.operatorCredential'),
} as const;

export type RpcConfig = Config<typeof rpcPicks>;

/** What a service picks whose guard asks orgs-teams and authz. */
export const guardPicks = { orgsTeams: 'services.orgsTeams', authz: 'services.authz' } as const;

/** With what a service calls others, and is called: the API, its credential, its certificate. */
export interface Peers extends PeerOptions {
  readonly serviceCredential: Secret;
}

/** @throws ConfigError, TlsRefused */
export async function openPeers(service: OpenService, config: RpcConfig): Promise<Peers> {
  const tls = await openGrpcTls(service, config);
  return { surface: readSurface(await readImage()), serviceCredential: config.serviceCredential, tls };
}

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
  peers: Peers,
  objects: GuardSources['objects'],
): Guard {
  const { orgsTeams, authz } = config;
  return openGuard(service, config, service.stack.use(remoteSources({ ...peers, orgsTeams, authz, objects })));
}

/** What a service serves. */
export interface RpcApi extends Pick<Peers, 'surface' | 'tls'> {
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
  { grpcListen: listen, trustedProxies, stopTimeoutMs }: RpcConfig,
  { surface, tls, guard, services, rateLimiter }: RpcApi,
): Promise<{ readonly grpc: string }> {
  const directLimits = { rateLimiter, sourceAddress: sourceAddressBy(trustedProxies) };
  // What is behind the calls closes after them, in the time that is left.
  const stopGraceMs = 0.8 * stopTimeoutMs;
  const server = stack.use(await startRpcServer({
    surface, tls, guard, services, host, listen, directLimits, stopGraceMs, log, metrics,
  }));
  return { grpc: server.address };
}
