import { type Config, type Logger, optional, readConfig } from '@platform/service';

const picks = {
  grpcListen: 'grpc.listen',
  adminListen: 'admin.listen',
  stopTimeoutMs: 'stop.timeout',
  postgresUrl: 'postgres.url',
  postgresMaxConnections: 'postgres.maxConnections',
  postgresStatementTimeoutMs: 'postgres.statementTimeout',
  postgresConnectTimeoutMs: 'postgres.connectTimeout',
  orgsTeams: 'services.orgsTeams',
  authz: 'services.authz',
  serviceCredential: 'secrets.serviceCredential',
  operatorCredential: optional('secrets.operatorCredential'),
  logLevel: 'log.level',
  telemetryEndpoint: optional('telemetry.endpoint'),
  telemetryHeaders: 'telemetry.headers',
  telemetrySampleRatio: 'telemetry.sampleRatio',
} as const;

/** What the service is told by its operator. Durations are milliseconds. */
export type ClustersConfig = Config<typeof picks>;

/** @throws ConfigError with all that is wrong at once */
export function readClustersConfig(environment: NodeJS.ProcessEnv, log?: Logger): ClustersConfig {
  return readConfig(picks, { environment, ...(log ? { log } : {}) });
}
