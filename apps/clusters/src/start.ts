import { connect, migrate } from '@platform/postgres';
import { ClusterOwnerServiceService } from '@platform/proto/clusters/v1/owners';
import { readImage } from '@platform/proto/image';
import { createGuard, implement, remoteSources, startRpcServer } from '@platform/rpc';
import {
  createLogger, createMetrics, createReadiness, type Logger, repeatUntil, type RunningService, startAdminServer,
  startTelemetry, Unavailable,
} from '@platform/service';
import { readSurface } from '@platform/surface';
import type { ClustersConfig } from './config.ts';
import { closeOwner } from './rpc/close-owner.ts';
import { deleteCluster } from './rpc/delete-cluster.ts';
import { moveCluster } from './rpc/move-cluster.ts';
import { putClusters } from './rpc/put-clusters.ts';
import { reopenOwner } from './rpc/reopen-owner.ts';
import { resolveOwners } from './rpc/resolve-owners.ts';
import { findOwners } from './store/clusters.ts';

const service = 'clusters';
const schema = 'clusters';
/** How long a start waits for PostgreSQL before it gives up; whoever supervises the process then starts it again. */
const postgresPatienceMs = 60_000;

/** Wires the service and starts it. Disposing it finishes the calls accepted, then lets go of everything. */
export async function start(config: ClustersConfig): Promise<RunningService> {
  await using stack = new AsyncDisposableStack();
  const log = createLogger({ service, level: config.logLevel });
  const metrics = createMetrics({ service });
  stack.use(await startTelemetry({
    service,
    endpoint: config.telemetryEndpoint,
    headers: config.telemetryHeaders,
    sampleRatio: config.telemetrySampleRatio,
  }));

  const database = stack.use(connect({
    url: config.postgresUrl,
    schema,
    applicationName: service,
    maxConnections: config.postgresMaxConnections,
    statementTimeout: config.postgresStatementTimeoutMs,
    connectTimeout: config.postgresConnectTimeoutMs,
    log,
    metrics,
  }));
  const migrated = migrateOncePostgresAnswers(config, log);
  const readiness = createReadiness({
    postgres: async (deadline) => {
      await migrated;
      await database.ping(deadline);
    },
  });
  // Answers probes while PostgreSQL is waited for.
  const admin = stack.use(await startAdminServer({ listen: config.adminListen, readiness, metrics }));
  await migrated;

  const surface = readSurface(await readImage());
  const sources = stack.use(remoteSources({
    surface,
    orgsTeams: config.orgsTeams,
    authz: config.authz,
    serviceCredential: config.serviceCredential,
    objects: { cluster: (ids, { deadline }) => findOwners(database, ids, { deadline }) },
  }));
  const operator = config.operatorCredential;
  const guard = createGuard(sources, {
    serviceCredentials: [config.serviceCredential, ...(operator ? [operator] : [])],
    metrics,
  });
  const server = stack.use(await startRpcServer({
    surface,
    host: service,
    services: [
      implement(ClusterOwnerServiceService, {
        resolveOwners: resolveOwners(database),
        closeOwner: closeOwner(database),
        reopenOwner: reopenOwner(database),
        putClusters: putClusters(database),
        moveCluster: moveCluster(database),
        deleteCluster: deleteCluster(database),
      }),
    ],
    guard,
    listen: config.grpcListen,
    log,
    metrics,
  }));
  stack.defer(() => readiness.stop());

  const running = stack.move();
  return {
    addresses: { grpc: server.address, admin: admin.address },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function migrateOncePostgresAnswers(config: ClustersConfig, log: Logger): Promise<void> {
  const directory = new URL('../migrations/', import.meta.url);
  await repeatUntil(() => migrate({ url: config.postgresUrl, directory, schema, log }), {
    most: 1_000,
    signal: AbortSignal.timeout(postgresPatienceMs),
    again: (error) => error instanceof Unavailable,
    failed: (error, attempt) => log.warn({ attempt, error }, 'PostgreSQL is not available yet; the start waits for it'),
  });
}
