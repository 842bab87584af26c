import {
  type ConfigProblem, environmentName, givenTexts, optional, readConfig, type SettingKey, settings, type SettingsRule,
  silentLogger,
} from '@platform/service';
import { natsSecrets } from '../kept-secrets.ts';
import type { Environment } from '../settings.ts';

/** Settings of a deployment, in the notation of the environment. */
export type GivenSettings = ReadonlyMap<SettingKey, string>;

/** An external NATS needs all of its secrets. If none is given, secrets are created for a NATS of the deployment. */
const together: SettingsRule = (given) => {
  const absent = natsSecrets.filter((key) => given(key) === undefined);
  if (absent.length === natsSecrets.length) return [];
  return absent.map((key): ConfigProblem => {
    const name = environmentName(key);
    const found = 'is required with the other secrets of NATS and not set';
    return { key, where: `${name} (or ${name}_FILE)`, found, accepts: settings[key].kind.accepts };
  });
};

/** @throws ConfigError with all invalid settings */
export function readGivenSettings(environment: Environment): GivenSettings {
  readConfig({
    postgresUrl: optional('postgres.url'),
    presharedKey: optional('openfga.presharedKey'),
    natsCredentials: optional('nats.credentials'),
    natsSystemCredentials: optional('nats.systemCredentials'),
    natsAccountSeed: optional('nats.accountSeed'),
    natsOperatorSeed: optional('nats.operatorSeed'),
  }, { environment, rule: together, log: silentLogger });
  return givenTexts({ environment });
}
