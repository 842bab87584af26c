import { type Config, optional, readConfig } from '@platform/service';

const picks = {
  listen: 'grpc.listen',
  adminListen: 'admin.listen',
  openfgaUrl: 'openfga.url',
  presharedKey: 'openfga.presharedKey',
  storeName: 'openfga.storeName',
  serviceCredential: 'secrets.serviceCredential',
  operatorCredential: optional('secrets.operatorCredential'),
  orgsTeams: 'services.orgsTeams',
  clusters: optional('services.clusters'),
  contractsLicensing: optional('services.contractsLicensing'),
  logLevel: 'log.level',
  telemetryEndpoint: optional('telemetry.endpoint'),
  telemetryHeaders: 'telemetry.headers',
  telemetrySampleRatio: 'telemetry.sampleRatio',
} as const;

/** Everything authz is told from outside. */
export type AuthzConfig = Config<typeof picks>;

/** @throws ConfigError with all problems at once */
export function readAuthzConfig(environment: Readonly<Record<string, string | undefined>>): AuthzConfig {
  return readConfig(picks, { environment });
}
