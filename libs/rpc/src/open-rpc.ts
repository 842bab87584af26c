import { readImage } from '@platform/proto/image';
import { StatusServiceService } from '@platform/proto/status/v1/status';
import { type Config, type OpenService, optional, platformVersion, type Secret } from '@platform/service';
import { type Deployment, readSurface } from '@platform/surface';
import { grpcTlsPicks, openGrpcTls } from '@platform/tls';
import type { PeerOptions } from './client/client.ts';
import type { GuardSources } from './guard/guard-sources.ts';
import { createGuard, type Guard } from './guard/guard.ts';
import { createRateLimiter, type RateLimiter, rateLimitsOf, ratePicks, sourceAddressBy } from '@platform/limits';
import { implement } from './server/implement.ts';
import { type RpcServerOptions, startRpcServer } from './server/server.ts';

/** The settings that determine which methods exist (open-points 1.1). */
export const deploymentPicks = {
  deploymentType: 'deployment.type',
  runMode: 'run.mode',
  billing: 'billing.enabled',
} as const;

export function deploymentOf({ deploymentType, runMode, billing }: Config<typeof deploymentPicks>): Deployment {
  return { type: deploymentType, runMode, billing };
}

export const rpcPicks = {
  ...deploymentPicks,
  ...ratePicks,
  ...grpcTlsPicks,
  stopTimeoutMs: 'stop.timeout',
  grpcListen: 'grpc.listen',
  grpcReflection: 'grpc.reflection',
  serviceCredential: 'secrets.serviceCredential',
  operatorVerifier: optional('secrets.operatorVerifier'),
} as const;

export type RpcConfig = Config<typeof rpcPicks>;

export const guardPicks = { orgsTeams: 'services.orgsTeams', authz: 'services.authz' } as const;

export interface Peers extends PeerOptions {
  readonly serviceCredential: Secret;
}

/** @throws ConfigError, TlsRefused */
export async function openPeers(service: OpenService, config: RpcConfig): Promise<Peers> {
  const tls = await openGrpcTls(service, config);
  return { surface: readSurface(await readImage()), serviceCredential: config.serviceCredential, tls };
}

export function openGuard({ metrics }: OpenService, config: RpcConfig, sources: GuardSources): Guard {
  const { serviceCredential, operatorVerifier } = config;
  const serviceCredentials = [serviceCredential];
  return createGuard(sources, { deployment: deploymentOf(config), serviceCredentials, operatorVerifier, metrics });
}

export function openRateLimiter({ metrics }: OpenService, config: RpcConfig): RateLimiter {
  return createRateLimiter(rateLimitsOf(config), metrics);
}

/** Serves a service's methods and `StatusService` while the service is open. @throws the errors of startRpcServer */
export async function openRpc(
  { name: host, log, metrics, readiness, stack, report }: OpenService,
  { grpcListen: listen, grpcReflection, deploymentType, runMode, trustedProxies, stopTimeoutMs }: RpcConfig,
  { surface, tls, guard, services, rateLimiter, kept, told }:
    Pick<RpcServerOptions, 'surface' | 'tls' | 'guard' | 'services' | 'kept' | 'told'> & { rateLimiter: RateLimiter },
): Promise<{ readonly grpc: string }> {
  const directLimits = { rateLimiter, sourceAddress: sourceAddressBy(trustedProxies) };
  // How long accepted calls may take to end. The rest of `stop.timeout` is for everything that closes after the calls.
  const stopGraceMs = 0.8 * stopTimeoutMs;
  const status = implement(StatusServiceService, {
    getStatus: async (_request, { deadline }) => {
      const [migrations, failingJobs, lostKeys, { checks }] = await Promise.all([
        report.migrations(deadline), report.failingJobs(deadline), report.lostKeys(deadline), readiness.report(),
      ]);
      return {
        version: platformVersion, migrations: [...migrations], failingJobs: [...failingJobs], lostKeys: [...lostKeys],
        deploymentType, runMode,
        unavailable: checks.filter(({ ok }) => !ok).map(({ name, reason = '' }) => ({ name, reason })),
      };
    },
  });
  const reflection = grpcReflection === 'auto' ? runMode === 'dev' : grpcReflection === 'true';
  const server = stack.use(await startRpcServer({
    surface, tls, guard, kept, told, services: [...services, status], host, listen, directLimits, stopGraceMs,
    reflection, log, metrics,
  }));
  return { grpc: server.address };
}
