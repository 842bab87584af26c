import { rpcPicks } from '@platform/rpc';
import { type Config, type ConfigSource, optional, readConfig, servicePicks } from '@platform/service';

const picks = {
  ...servicePicks,
  ...rpcPicks,
  openfgaUrl: 'openfga.url',
  presharedKey: 'openfga.presharedKey',
  storeName: 'openfga.storeName',
  orgsTeams: 'services.orgsTeams',
  clusters: optional('services.clusters'),
  contractsLicensing: optional('services.contractsLicensing'),
} as const;

/** Everything authz is told from outside. */
export type AuthzConfig = Config<typeof picks>;

/** @throws ConfigError with all problems at once */
export function readAuthzConfig(source: ConfigSource): AuthzConfig {
  return readConfig(picks, source);
}
