import { isPassedOnTo, listenerErrors, usualLimits } from '@platform/http';
import { type RateLimiter, sourceAddressBy } from '@platform/limits';
import { openUpstream, type RestServer, serveRest } from '@platform/rest';
import { deploymentOf } from '@platform/rpc';
import { mostFileHandles } from '@platform/service';
import { listenerPrefix } from '@platform/surface';
import type { Parts } from '../parts.ts';

/**
 * Serves the methods of this service below `/marketplace/` over HTTP (spec §4.9). Sends each call to the gRPC server of
 * this process at the address `grpc`. So the same guard checks gRPC callers and marketplaces.
 */
export async function serveListener(
  { config, service, peers, guard }: Parts, grpc: string, rateLimiter: RateLimiter,
): Promise<RestServer> {
  const { serviceCredential, surface, tls } = peers;
  const { log, metrics, readiness, stack } = service;
  const upstream = stack.use(openUpstream(new Map([[service.name, [grpc]]]), { serviceCredential, tls }));
  return stack.use(await serveRest({
    surface, upstream, rateLimiter, tls, readiness, log, metrics,
    deployment: deploymentOf(config),
    serves: (template) => template.startsWith(listenerPrefix),
    errors: listenerErrors,
    limits: { ...usualLimits, requestMs: config.requestTimeout },
    sourceAddress: sourceAddressBy(config.trustedProxies),
    isPassedOn: isPassedOnTo(guard),
    // The other half of the file handles is for the gRPC server and the database connections of this process.
    fileHandles: Math.floor((await mostFileHandles()) / 2),
    host: config.host, port: config.port, baseUrl: config.baseUrl, stopSilence: config.stopSilence,
  }));
}
