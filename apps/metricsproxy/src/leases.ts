import { type Authority, type LeaseBus, openAuthority, openHolder, remoteSessions } from '@platform/leases';
import type { Database } from '@platform/postgres';
import type { ConnectOptions } from '@platform/rpc';
import type { OpenService } from '@platform/service';
import type { Config } from './config.ts';
import type { Clusters } from './hook/cluster-source.ts';
import { knownClusters, type KnownClusters } from './hook/known-clusters.ts';
import { createKnownRoutes, type FindRoute, type Route } from './proxy/find-route.ts';

/** Maximum size of all clusters in memory, in bytes. The routes in memory have a separate limit of the same size. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Supplies the data that a query of metrics needs, from memory while a lease permits this (leases.md). The service
 * `clusters` stores the cluster. This service stores the route to the backend.
 */
interface Leases extends Pick<Authority, 'told' | 'service'> {
  /** Answers from memory if a lease permits this. Use it only for calls that change nothing. */
  readonly clusters: Clusters;
  known(find: FindRoute): FindRoute;
}

interface LeaseOptions {
  readonly bus: LeaseBus | undefined;
  readonly atClusters: ConnectOptions;
  readonly clusters: Clusters;
}

export function openLeases(
  service: OpenService, config: Config, database: Database, { bus, atClusters, clusters }: LeaseOptions,
): Leases {
  const { stack, stopping, log } = service;
  const { leaseLifetimeMs: lifetimeMs } = config;
  const line = bus?.line('metricsproxy');
  const authority = stack.use(openAuthority({ database, line, lifetimeMs, log }));
  if (bus === undefined || line === undefined) return { ...authority, clusters, known: (find) => find };
  const common = { lifetimeMs, mostBytes, stopping, log };
  const sessions = remoteSessions(service, config, atClusters);
  const found = stack.use(openHolder<KnownClusters>({ ...common, sessions, line: bus.line('clusters') }));
  const routes = stack.use(openHolder<Route>({ ...common, sessions: authority.sessions, line }));
  return {
    ...authority,
    clusters: knownClusters(clusters, found),
    known: (find) => createKnownRoutes(find, routes),
  };
}
