import { openApiText } from '@platform/openapi';
import { readImage } from '@platform/proto/image';
import {
  createLogger,
  createMetrics,
  createReadiness,
  platformVersion,
  type RunningService,
  startAdminServer,
  startTelemetry,
} from '@platform/service';
import { readSurface } from '@platform/surface';
import type { GatewayConfig } from './config.ts';
import { sourceAddressBy } from './http/source-address.ts';
import { usualLimits } from './limits/limits.ts';
import { createRateLimiter, type RateLimits } from './limits/rate-limit.ts';
import { ownPages } from './pages.ts';
import { serveGateway } from './serve-gateway.ts';
import { openUpstream } from './upstream.ts';

/** Wires the gateway together: the only place that does. */
export async function start(config: GatewayConfig): Promise<RunningService> {
  await using held = new AsyncDisposableStack();
  const log = createLogger({ service: 'gateway', level: config.logLevel });
  held.use(
    await startTelemetry({
      service: 'gateway',
      endpoint: config.telemetryEndpoint,
      headers: config.telemetryHeaders,
      sampleRatio: config.telemetrySampleRatio,
    }),
  );
  const metrics = createMetrics({ service: 'gateway' });
  // What it can do without any service (refuse, tell its health) it does; whether they are well is theirs to say.
  const readiness = createReadiness({});
  const admin = held.use(await startAdminServer({ listen: config.adminListen, readiness, metrics }));
  const surface = readSurface(await readImage());
  const upstream = held.use(openUpstream(serviceAddresses(config)));
  const gateway = held.use(
    await serveGateway({
      surface,
      deployment: { type: config.deploymentType, runMode: config.runMode, billing: config.billing },
      upstream,
      pages: ownPages(platformVersion, readiness, openApiText(surface)),
      limits: { ...usualLimits, requestMs: config.requestTimeout },
      rateLimiter: createRateLimiter(rateLimits(config), metrics),
      sourceAddress: sourceAddressBy(config.trustedProxies),
      serviceCredential: config.serviceCredential?.reveal(),
      baseUrl: config.baseUrl,
      version: platformVersion,
      readiness,
      log,
      metrics,
      host: config.host,
      port: config.port,
    }),
  );
  const running = held.move();
  return {
    addresses: { http: gateway.address, admin: admin.address },
    [Symbol.asyncDispose]: async () => {
      readiness.stop();
      await running[Symbol.asyncDispose]();
    },
  };
}

function serviceAddresses(config: GatewayConfig): Map<string, readonly string[]> {
  const byHost: [string, readonly string[] | undefined][] = [
    ['orgs-teams', config.orgsTeams],
    ['authz', config.authz],
    ['clusters', config.clusters],
    ['contracts-licensing', config.contractsLicensing],
    ['billing-dashboard', config.billingDashboard],
    ['metricsproxy', config.metricsproxy],
  ];
  return new Map(byHost.flatMap(([host, addresses]) => (addresses?.length ? [[host, addresses]] : [])));
}

/** `auto`: on in run mode `prod` (open-points 15). */
function rateLimits(config: GatewayConfig): RateLimits | undefined {
  const isOn = config.rateLimit === 'auto' ? config.runMode === 'prod' : config.rateLimit === 'true';
  if (!isOn) return undefined;
  return {
    anonymous: { perSecond: config.anonymousPerSecond, burst: config.anonymousBurst },
    failedCredentials: { perSecond: config.failedCredentialsPerSecond, burst: config.failedCredentialsBurst },
  };
}
