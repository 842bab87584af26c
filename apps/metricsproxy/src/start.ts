import { followFacts } from '@platform/facts';
import { serveHttp, usualLimits } from '@platform/http';
import { openJobs } from '@platform/jobs';
import { openLeaseBus, openRemoteGuard } from '@platform/leases';
import { sourceAddressBy } from '@platform/limits';
import { createOutbound } from '@platform/outbound';
import { openDatabase } from '@platform/postgres';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { FactServiceService } from '@platform/proto/facts/v1/facts';
import { MetricsProxyServiceService } from '@platform/proto/metricsproxy/v1/metricsproxy';
import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import { connect, openPeers, openRateLimiter, openRpc } from '@platform/rpc';
import { createLimiter, createSealer, mostFileHandles, parseAddress, type Start } from '@platform/service';
import {
  createKeptAnswers, createLocks, createWrite, deleteOldAnswers, remoteAdmission, reportLostKeys,
} from '@platform/writes';
import { reconcile } from './backends/reconcile.ts';
import { applyClusters } from './backends/store.ts';
import type { Config } from './config.ts';
import { createGrafana } from './dashboards/grafana.ts';
import { createPerses } from './dashboards/perses.ts';
import { clusterSource } from './hook/cluster-source.ts';
import { openLeases } from './leases.ts';
import { methods } from './methods.ts';
import type { Parts } from './parts.ts';
import { createFindRoute } from './proxy/find-route.ts';
import { createProxyHandler } from './proxy/proxy-handler.ts';

export { picks } from './config.ts';

/**
 * Maximum number of concurrent writes. A write uses a database connection, even while it waits for the lock of a row.
 */
const writesAtOnce = 2;

export const start: Start<Config> = async (service, config) => {
  const migrations = new URL('../migrations/', import.meta.url);
  const database = await openDatabase(service, config, { schema: 'metricsproxy', migrations });
  const peers = await openPeers(service, config);
  const { stack, log, metrics, readiness } = service;
  const orgsTeams = { ...peers, name: 'orgs-teams', addresses: config.orgsTeams };
  const atClusters = { ...peers, name: 'clusters', addresses: config.clusters };
  const identity = stack.use(connect(IdentityServiceService, orgsTeams));
  const clusters = stack.use(connect(ClusterOwnerServiceService, atClusters));
  const rateLimiter = openRateLimiter(service, config);
  const bus = openLeaseBus(service, config);
  const leases = openLeases(service, config, database, { bus, atClusters, clusters });
  const guard = openRemoteGuard(service, config, peers, {
    bus, rateLimiter,
    objects: { cluster: clusterSource(clusters, identity) },
    knownObjects: { cluster: clusterSource(leases.clusters, identity) },
  });
  const sealer = createSealer(config.encryptionKeys);
  reportLostKeys(service, database, sealer);
  const write = createWrite({ database, locks: createLocks([]), admission: remoteAdmission(guard) });
  const writes = createLimiter(writesAtOnce, 'the write of a registration');
  const parts: Parts = {
    service, database, guard, identity, clusters, sealer, told: leases.told,
    write: (context, locks, act) => writes.run(context.deadline, () => write(context, locks, act)),
    tokens: stack.use(connect(AdminServiceService, orgsTeams)),
    dashboards: openDashboards(config),
    publicUrl: config.publicUrl ?? (config.baseUrl && `${config.baseUrl}/metrics-proxy`),
    outbound: createOutbound({
      denied: config.deniedCidrs, allowed: config.allowedCidrs, privateNetworks: true, keepAlive: true,
    }),
  };
  followFacts(service, database, [
    { from: 'clusters', client: stack.use(connect(FactServiceService, atClusters)), kinds: { cluster: applyClusters } },
  ]);
  await openJobs(service, config, database, {
    tasks: [reconcile(parts)],
    schedules: [{ name: 'old-kept-answers', everyMs: 3_600_000, run: (job) => deleteOldAnswers(database, job) }],
  });
  const kept = createKeptAnswers(database, config.encryptionKeys);
  const findRoute = leases.known(createFindRoute(database, sealer));
  const services = [...methods(parts, config.tenantPrefix, findRoute), leases.service];
  const { host, port } = parseAddress(config.listen);
  const handler = createProxyHandler({
    guard, rateLimiter, findRoute, log, metrics, limits: usualLimits,
    hook: peers.surface.byPath.get(MetricsProxyServiceService.authorize.path)!,
    outbound: parts.outbound,
    tenantPrefix: config.tenantPrefix,
    prefix: new URL(parts.publicUrl ?? 'http://localhost/metrics-proxy').pathname.replace(/\/$/, ''),
    baseUrl: config.baseUrl ?? '',
    sourceAddress: sourceAddressBy(config.trustedProxies),
  });
  const proxy = stack.use(await serveHttp(handler, {
    host, port, limits: usualLimits, tls: peers.tls, readiness, log, stopSilence: config.stopSilence,
    // Each query uses two connections: one from its client and one to its backend.
    fileHandles: Math.floor((await mostFileHandles()) / 2),
  }));
  const { grpc } = await openRpc(service, config, { ...peers, guard, services, rateLimiter, kept, told: leases.told });
  return { grpc, proxy: proxy.address };
};

function openDashboards(config: Config): Parts['dashboards'] {
  const { flavoraUrl: a, flavorbUrl: b } = config;
  return {
    ...(a && { flavora: createGrafana(a, config.flavoraPublicUrl ?? a, config.flavoraCredential) }),
    ...(b && { flavorb: createPerses(b, config.flavorbPublicUrl ?? b, config.flavorbCredential) }),
  };
}
