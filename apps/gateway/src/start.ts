import { openApiText } from '@platform/openapi';
import { readExamples } from '@platform/proto/examples';
import { readImage } from '@platform/proto/image';
import { createRateLimiter, deploymentOf, rateLimitsOf, sourceAddressBy } from '@platform/rpc';
import {
  deadlineIn, mostFileHandles, openService, parseAddress, platformVersion, type RunningService,
} from '@platform/service';
import { readSurface } from '@platform/surface';
import { openGrpcTls, openHttpTls } from '@platform/tls';
import type { GatewayConfig } from './config.ts';
import { usualLimits } from './limits/limits.ts';
import { ownPages } from './pages.ts';
import { createRecentRequests } from './recent-requests.ts';
import { serveGateway } from './serve-gateway.ts';
import { openUpstream } from './upstream.ts';

/** How long the first page waits for the services it shows, in milliseconds. */
const partsMs = 1_000;

/** Wires the gateway together: the only place that does. */
export function start(config: GatewayConfig, stopping: AbortSignal): Promise<RunningService> {
  // What it can do without any service (refuse, tell its health) it does; whether they are well is theirs to say.
  return openService('gateway', config, stopping, async (service) => {
    const { log, metrics, readiness, stack } = service;
    const surface = readSurface(await readImage());
    const { serviceCredential } = config;
    const tls = await openGrpcTls(service, config);
    const upstream = stack.use(openUpstream(serviceAddresses(config), { serviceCredential, tls }));
    const recent = config.runMode === 'dev' ? createRecentRequests() : undefined;
    const inside = recent && (async () => ({
      deploymentType: config.deploymentType,
      parts: await upstream.parts(deadlineIn(partsMs)),
      recent: recent.summary(),
      metrics: parseAddress(config.adminListen).port === 0 ? undefined : config.adminListen,
    }));
    const gateway = stack.use(
      await serveGateway({
        surface,
        deployment: deploymentOf(config),
        upstream,
        pages: ownPages({
          version: platformVersion,
          readiness,
          document: openApiText(surface, await readExamples()),
          ...(inside && { inside }),
        }),
        limits: { ...usualLimits, requestMs: config.requestTimeout },
        rateLimiter: createRateLimiter(rateLimitsOf(config), metrics),
        sourceAddress: sourceAddressBy(config.trustedProxies),
        baseUrl: config.baseUrl,
        tls: await openHttpTls(service, config),
        version: platformVersion,
        readiness,
        log,
        metrics,
        recent,
        host: config.host,
        port: config.port,
        stopDelay: config.stopDelay,
        fileHandles: await mostFileHandles(),
      }),
    );
    return { http: gateway.address };
  });
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
