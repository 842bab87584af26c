import { postgresPicks } from '@platform/postgres';
import { guardPicks, rpcPicks } from '@platform/rpc';
import { type Config, type ConfigSource, readConfig, servicePicks } from '@platform/service';

const picks = { ...servicePicks, ...postgresPicks, ...rpcPicks, ...guardPicks } as const;

/** What the service is told by its operator. */
export type ContractsLicensingConfig = Config<typeof picks>;

/** @throws ConfigError with all that is wrong at once */
export function readContractsLicensingConfig(source: ConfigSource): ContractsLicensingConfig {
  return readConfig(picks, source);
}
