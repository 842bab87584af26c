import type { Config as Picked } from '@platform/service';
import { type ConfigSource, optional, readConfig as read } from '@platform/service';

const picks = {
  runMode: 'run.mode',
  logLevel: 'log.level',
  listen: 'grpc.listen',
  adminListen: 'admin.listen',
  stopTimeout: 'stop.timeout',
  postgresUrl: 'postgres.url',
  maxConnections: 'postgres.maxConnections',
  statementTimeout: 'postgres.statementTimeout',
  connectTimeout: 'postgres.connectTimeout',
  authz: 'services.authz',
  clusters: optional('services.clusters'),
  contractsLicensing: optional('services.contractsLicensing'),
  tokenKey: 'secrets.tokenKey',
  serviceCredential: 'secrets.serviceCredential',
  operatorCredential: optional('secrets.operatorCredential'),
  adminToken: optional('secrets.adminToken'),
  baseUrl: optional('http.baseURL'),
  httpPort: 'http.port',
  allowCreate: 'orgs.allowCreate',
  administrative: 'orgs.administrative',
  rolesPerTeam: 'limits.rolesPerTeam',
  teamsPerRole: 'limits.teamsPerRole',
  rateLimit: 'rateLimit.enabled',
  accountPerSecond: 'rateLimit.accountPerSecond',
  accountBurst: 'rateLimit.accountBurst',
  telemetryEndpoint: optional('telemetry.endpoint'),
  telemetryHeaders: 'telemetry.headers',
  sampleRatio: 'telemetry.sampleRatio',
} as const;

/** What this service reads of the platform's settings. */
export type Config = Omit<Picked<typeof picks>, 'baseUrl' | 'httpPort' | 'rateLimit'> & {
  /** `{base_url}` of open-points, without a slash at its end. */
  readonly baseUrl: string;
  /** Whether accounts are limited (open-points 1.1, 1.9). */
  readonly rateLimited: boolean;
};

/** The only reader of this service's environment. @throws ConfigError with all that is wrong */
export function readConfig(source: ConfigSource): Config {
  const { baseUrl, httpPort, rateLimit, ...rest } = read(picks, source);
  return {
    ...rest,
    baseUrl: String(baseUrl ?? `http://127.0.0.1:${httpPort}`).replace(/\/+$/, ''),
    rateLimited: rateLimit === 'auto' ? rest.runMode === 'prod' : rateLimit === 'true',
  };
}
